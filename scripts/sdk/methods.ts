/** What the generator knows of each method: where it is, who can call it, and what it takes. */
import { z } from 'zod';
import type { AnyVerb, SdkProjection } from '../../src/kernel/verb.ts';
import { type SchemaNode, typeText } from './type-text.ts';

/** Key of the verb in the list of verbs → the verb. */
export type Verbs = Readonly<Record<string, AnyVerb>>;

/** `anyone`: the owner of the workspace and every agent. */
export type Who = 'anyone' | 'owner' | 'agent';

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

export interface Method {
  /** Key in the list of verbs. */
  readonly key: string;
  readonly verb: AnyVerb;
  readonly noun: string;
  readonly name: string;
  readonly who: Who;
  readonly positionals: readonly Field[];
  /** The fields that are not positional, as one parameter. */
  readonly rest: Rest | undefined;
}

export interface Rest {
  readonly name: string;
  readonly type: string;
  readonly fields: readonly Field[];
  readonly isRequired: boolean;
  /** Takes `signal` and `onProgress` as well. */
  readonly progress: boolean;
}

export function methodsOf(verbs: Verbs): Method[] {
  const methods = Object.entries(verbs).flatMap(([key, verb]) => {
    const { sdk = {} } = verb;
    return sdk === false ? [] : [methodOf(key, verb, sdk)];
  });
  return methods.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function methodOf(key: string, verb: AnyVerb, sdk: SdkProjection): Method {
  const [noun = '', name = ''] = (sdk.at ?? verb.name).split('.');
  const fields = fieldsOf(key, verb);
  const positionals = (sdk.positionals ?? []).map((wanted) => {
    const found = fields.find((field) => field.name === wanted);
    if (found === undefined) throw new Error(`${verb.name} has no input "${wanted}" for the SDK.`);
    return found;
  });
  const others = fields.filter((field) => !positionals.includes(field));
  const progress = sdk.progress === true;
  const rest = {
    name: sdk.rest ?? 'options',
    type: others.length === 0 ? 'CallOptions' : (sdk.type ?? `${capital(noun)}${capital(name)}Options`),
    fields: others,
    isRequired: others.some(({ isRequired }) => isRequired),
    progress,
  };
  return {
    ...{ key, verb, noun, name, who: whoOf(verb, sdk), positionals },
    rest: others.length > 0 || progress ? rest : undefined,
  };
}

function whoOf({ needsAgent = false, role }: AnyVerb, { ownerOnly = false }: SdkProjection): Who {
  // An agent never has the role admin, so these would always fail for one.
  if (role === 'admin' || ownerOnly) return 'owner';
  return needsAgent ? 'agent' : 'anyone';
}

function fieldsOf(key: string, verb: AnyVerb): Field[] {
  const schema = z.toJSONSchema(verb.input, { io: 'input', unrepresentable: 'any' }) as SchemaNode;
  return Object.entries(schema.properties ?? {}).map(([name, node]) => ({
    name,
    type: typeText(node) ?? `InputOf<typeof verbs.${key}>['${name}']`,
    isRequired: schema.required?.includes(name) ?? false,
    description: describe(node),
  }));
}

/** The description, and the default where it says something. */
function describe(node: SchemaNode): string {
  const text = descriptionIn(node);
  const { default: value } = node;
  const says = typeof value === 'number' || typeof value === 'string' || value === true;
  if (!says || /\bdefault\b/i.test(text)) return text;
  return `${text} Default ${typeof value === 'string' ? `\`${value}\`` : String(value)}.`;
}

const descriptionIn = ({ description, anyOf = [] }: SchemaNode): string =>
  description ?? anyOf.map(descriptionIn).find((text) => text !== '') ?? '';

export const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

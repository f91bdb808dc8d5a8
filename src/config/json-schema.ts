/** The JSON Schema of keepsake.jsonc, and descriptions of accepted values for documentation and errors. */
import { z } from '../kernel/zod.ts';
import { configSchema } from './schema.ts';

/** The part of JSON Schema that our own schema uses. */
export interface SchemaNode {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly SchemaNode[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

export type KeyPath = readonly PropertyKey[];

let cached: SchemaNode | undefined;

/** Made on demand: a valid configuration never pays for it. Draft 7 is what editors know best. */
export function configJsonSchema(): SchemaNode {
  cached ??= z.toJSONSchema(configSchema, { io: 'input', target: 'draft-7' }) as SchemaNode;
  return cached;
}

export function schemaAt(path: KeyPath): SchemaNode | undefined {
  let node: SchemaNode | undefined = configJsonSchema();
  for (const key of path) {
    if (node === undefined) return undefined;
    const properties: Readonly<Record<string, SchemaNode>> = node.properties ?? {};
    if (Object.hasOwn(properties, key)) node = properties[String(key)];
    else node = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
  }
  return node;
}

/** Every value that is written out in the schema: `["low", "medium", "high", "off", false]`. */
export function literalsOf(node: SchemaNode): unknown[] {
  if (node.anyOf !== undefined) return node.anyOf.flatMap(literalsOf);
  if (node.enum !== undefined) return [...node.enum];
  return 'const' in node ? [node.const] : [];
}

export function typesOf(node: SchemaNode): string[] {
  if (node.anyOf !== undefined) return node.anyOf.flatMap(typesOf);
  return node.type === undefined ? [] : [node.type];
}

function joinWithOr(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}`;
}

function describeNumber(node: SchemaNode): string {
  const noun = node.type === 'integer' ? 'a whole number' : 'a number';
  const [above, from, to] = [node.exclusiveMinimum, node.minimum, node.maximum].map((bound) =>
    bound?.toLocaleString('en-US'),
  );
  return above === undefined ? `${noun} from ${from} to ${to}` : `${noun} above ${above} and at most ${to}`;
}

/** "a whole number from 1 to 10", "true or false", `a duration such as "7d" or null`. */
export function describeType(node: SchemaNode): string {
  if (node.anyOf !== undefined) return joinWithOr(node.anyOf.flatMap((part) => describeAlternatives(part)));
  return joinWithOr(describeAlternatives(node));
}

function describeAlternatives(node: SchemaNode): string[] {
  const literals = literalsOf(node);
  if (literals.length > 0) return literals.map((value) => JSON.stringify(value));
  if (node.title !== undefined) {
    const example = node.examples?.[0];
    const article = /^[aeio]/i.test(node.title) ? 'an' : 'a';
    return [`${article} ${node.title}${example === undefined ? '' : ` such as ${JSON.stringify(example)}`}`];
  }
  switch (node.type) {
    case 'boolean':
      return ['true', 'false'];
    case 'integer':
    case 'number':
      return [describeNumber(node)];
    case 'object':
      return ['an object'];
    case 'null':
      return ['null'];
    default:
      return ['a string'];
  }
}

/** Paths of all keys outside of `agents`, for pointing at a key that was put into the wrong block. */
export function allKeyPaths(node: SchemaNode = configJsonSchema(), path: readonly string[] = []): string[][] {
  return Object.entries(node.properties ?? {}).flatMap(([key, child]) => {
    const here = [...path, key];
    return [here, ...allKeyPaths(child, here)];
  });
}

/** The source of one noun of the SDK: its classes, and the interfaces of what their methods take. */
import { capital, type Field, type Method, type Who } from './methods.ts';
import { JSON_TYPES } from './type-text.ts';

/** Where generated files find what they import. */
export interface Imports {
  readonly verbs: string;
  readonly kernel: string;
  readonly call: string;
}

export interface NounClass {
  readonly name: string;
  readonly who: Who;
  readonly extends: string | undefined;
  readonly methods: readonly Method[];
}

/** What only the owner, or only agents, can do is in a class of its own, on top of what both can do. */
export function classesOf(noun: string, methods: readonly Method[]): NounClass[] {
  const of = (who: Who) => methods.filter((method) => method.who === who);
  const common = of('anyone').length === 0 ? undefined : capital(noun);
  const all: NounClass[] = [
    { name: capital(noun), who: 'anyone', extends: undefined, methods: of('anyone') },
    { name: `Owner${capital(noun)}`, who: 'owner', extends: common, methods: of('owner') },
    { name: `Agent${capital(noun)}`, who: 'agent', extends: common, methods: of('agent') },
  ];
  return all.filter((each) => each.methods.length > 0);
}

/** The class that the owner or an agent gets, if there is one. */
export function classFor(classes: readonly NounClass[], who: 'owner' | 'agent'): NounClass | undefined {
  return classes.find((each) => each.who === who) ?? classes.find((each) => each.who === 'anyone');
}

const WIDTH = 110;

/** A comment in front of a declaration, on several lines if it is long. */
export function comment(text: string, indent: string): string {
  // As in "notes/**/*.md", which would end the comment.
  const safe = text.replaceAll('*/', '*\\/');
  if (indent.length + safe.length + 7 <= WIDTH) return `${indent}/** ${safe} */`;
  const lines: string[] = [];
  let line = '';
  for (const word of safe.split(' ')) {
    if (line !== '' && indent.length + 4 + line.length + word.length > WIDTH) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [`${indent}/**`, ...[...lines, line].map((each) => `${indent} * ${each}`), `${indent} */`].join(
    '\n',
  );
}

function fieldText({ name, type, isRequired, description }: Field): string {
  const declared = isRequired ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
  return [...(description === '' ? [] : [comment(description, '  ')]), `  readonly ${declared};`].join('\n');
}

/** Undefined if no method of the noun takes an object. */
export function optionsText(methods: readonly Method[], opening: string, from: Imports): string | undefined {
  const types = methods.filter(({ rest }) => rest !== undefined && rest.fields.length > 0);
  if (types.length === 0) return undefined;
  const interfaces = types.map(({ rest, noun, name }) => {
    const { type, fields, progress } = rest!;
    return [
      comment(`What \`${noun}.${name}\` takes.`, ''),
      `export interface ${type}${progress ? ' extends CallOptions' : ''} {`,
      ...fields.map(fieldText),
      '}',
    ].join('\n');
  });
  const body = interfaces.join('\n\n');
  const json = JSON_TYPES.filter((name) => new RegExp(`\\b${name}\\b`).test(body));
  const kernel = ['CallOptions', 'InputOf'].filter((name) => new RegExp(`\\b${name}\\b`).test(body));
  const imports = [
    ...(json.length === 0 ? [] : [`import type { ${json.join(', ')} } from '${from.kernel}/json.ts';`]),
    ...(kernel.length === 0 ? [] : [`import type { ${kernel.join(', ')} } from '${from.kernel}/verb.ts';`]),
    ...(kernel.includes('InputOf') ? [`import type { verbs } from '${from.verbs}';`] : []),
  ];
  return `${[opening, ...imports].join('\n')}\n\n${body}\n`;
}

function parameters({ positionals, rest }: Method): string {
  // A parameter may be left out only if all that follow may be, too.
  const firstOptional = positionals.findLastIndex(({ isRequired }) => isRequired) + 1;
  const mayOmit = rest === undefined || !rest.isRequired;
  const named = positionals.map(({ name, type }, index) =>
    index >= firstOptional && mayOmit ? `${name}?: ${type}` : `${name}: ${type}`,
  );
  if (rest === undefined) return named.join(', ');
  return [...named, `${rest.name}: ${rest.type}${rest.isRequired ? '' : ' = {}'}`].join(', ');
}

function methodText(method: Method): string {
  const { key, verb, name, positionals, rest } = method;
  const names = positionals.map((field) => field.name);
  const object = rest?.progress ? 'input' : rest?.name;
  const given =
    names.length === 0
      ? (object ?? '{}')
      : `{ ${[...(object === undefined ? [] : [`...${object}`]), ...names].join(', ')} }`;
  const splits = rest?.progress ? [`    const { signal, onProgress, ...input } = ${rest.name};`] : [];
  const extra = rest?.progress ? ', defined({ signal, onProgress })' : '';
  return [
    comment(verb.description, '  '),
    `  ${name}(${parameters(method)}): Promise<ResultOf<typeof verbs.${key}>> {`,
    ...splits,
    `    return this.#call(verbs.${key}, ${given}${extra});`,
    '  }',
  ].join('\n');
}

function classText({ name, extends: parent, methods }: NounClass, sentence: string): string {
  return [
    comment(sentence, ''),
    `export class ${name}${parent === undefined ? '' : ` extends ${parent}`} {`,
    '  readonly #call: Call;',
    '',
    '  constructor(call: Call) {',
    ...(parent === undefined ? [] : ['    super(call);']),
    '    this.#call = call;',
    '  }',
    '',
    methods.map(methodText).join('\n\n'),
    '}',
  ].join('\n');
}

const CAN: Readonly<Record<Who, string>> = {
  anyone: 'what the owner of the workspace and every agent can do',
  owner: 'what only the owner of the workspace can do, and what everyone can',
  agent: 'what an agent can do',
};

export function classesText(
  noun: string,
  classes: readonly NounClass[],
  opening: string,
  from: Imports,
): string {
  const methods = classes.flatMap((each) => each.methods);
  const types = new Set(methods.flatMap(({ rest }) => (rest === undefined ? [] : [rest.type])));
  const hasCallOptions = types.delete('CallOptions');
  const body = classes.map((each) => classText(each, `The ${noun} verbs: ${CAN[each.who]}.`)).join('\n\n');
  const usesDefined = methods.some(({ rest }) => rest?.progress);
  const refersToSchema = body.includes('InputOf<');
  const kernel = [
    ...(hasCallOptions ? ['CallOptions'] : []),
    ...(refersToSchema ? ['InputOf'] : []),
    'ResultOf',
  ];
  const imports = [
    ...(usesDefined ? [`import { defined } from '${from.kernel}/defined.ts';`] : []),
    `import type { ${kernel.join(', ')} } from '${from.kernel}/verb.ts';`,
    `import { verbs } from '${from.verbs}';`,
    `import type { Call } from '${from.call}';`,
    ...(types.size === 0
      ? []
      : [`import type { ${[...types].sort().join(', ')} } from './${noun}-options.ts';`]),
  ];
  return `${[opening, ...imports].join('\n')}\n\n${body}\n`;
}

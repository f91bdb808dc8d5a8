/** Flags of a command, derived from the input schema of its verb: camelCase keys become --kebab-case flags. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { z } from '../../kernel/zod.ts';
import { type FlagKind, LONG_LIST, NOTHING, parseFlag, placeholderOf } from './flag-values.ts';

export interface Flag {
  /** Key of the verb's input, e.g. `expiresAt`. */
  readonly key: string;
  /** As it is typed, e.g. `--expires-at`. */
  readonly name: string;
  readonly kind: FlagKind;
  readonly description: string;
  readonly choices: readonly string[];
  readonly default: unknown;
  readonly required: boolean;
  readonly repeatable: boolean;
  /** Whether the word "null" (for a time also "never") represents no value at all. */
  readonly nullable: boolean;
}

/** Lists of words, which may also be given at once: `--tags tea,work`. A comma of a word is written as `\,`. */
const WORD_LISTS: ReadonlySet<string> = new Set(['tags', 'categories']);

const isWordList = ({ key, repeatable, kind, choices }: Flag): boolean =>
  repeatable && kind === 'text' && choices.length === 0 && WORD_LISTS.has(key);

/** An empty text is probably a variable that is not set, and an empty list would remove all words or the filter. */
function wordsOf(text: string): string[] {
  const words = text.split(/(?<!\\),/).filter((word) => word.trim() !== '');
  if (words.length === 0) throw new InvalidArgumentError('Expected at least one word.');
  return words.map((word) => word.replaceAll('\\,', ','));
}

/** The part of JSON Schema that our inputs use. */
interface Node {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Node[];
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
}

export function flagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function alternativesOf(node: Node): readonly Node[] {
  return node.anyOf === undefined ? [node] : node.anyOf.flatMap(alternativesOf);
}

function kindOf(alternatives: readonly Node[]): FlagKind {
  const types = alternatives.map(({ type }) => type).filter((type) => type !== 'null');
  if (alternatives.some(({ format }) => format === 'date-time')) return 'time';
  if (types.length !== 1) return 'text';
  switch (types[0]) {
    case 'boolean':
    case 'integer':
    case 'number':
      return types[0];
    case 'object':
      return 'json';
    default:
      return 'text';
  }
}

function flagOf(key: string, node: Node, required: boolean): Flag {
  const repeatable = node.type === 'array';
  const alternatives = alternativesOf(repeatable ? (node.items ?? {}) : node);
  return {
    key,
    name: flagName(key),
    kind: kindOf(alternatives),
    description:
      node.description ?? node.anyOf?.find((each) => each.description !== undefined)?.description ?? '',
    choices: alternatives.flatMap((each) => each.enum ?? []).map(String),
    default: node.default,
    required,
    repeatable,
    nullable: alternatives.some(({ type }) => type === 'null'),
  };
}

/** One flag per key of the input, in the order of the schema. */
export function flagsOf(schema: z.ZodType): Flag[] {
  const node = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node;
  return Object.entries(node.properties ?? {}).map(([key, property]) =>
    flagOf(key, property, node.required?.includes(key) ?? false),
  );
}

/** The schema fills defaults in, so the flag only mentions them. */
function helpOf(flag: Flag): string {
  const { description, default: standard, repeatable, choices } = flag;
  const isEmpty =
    standard === undefined || standard === false || /^(\[\]|\{\}|"")$/.test(JSON.stringify(standard));
  const notes = [
    // A short list is in the placeholder already.
    ...(placeholderOf(flag) === LONG_LIST ? [`one of ${choices.join(', ')}`] : []),
    ...(flag.kind === 'time' ? ['such as 2026-11-03 or "2026-11-03 14:00"'] : []),
    ...(isWordList(flag) ? ['separated by commas, or repeated'] : repeatable ? ['may be repeated'] : []),
    ...(isEmpty ? [] : [`default: ${typeof standard === 'string' ? standard : JSON.stringify(standard)}`]),
  ];
  const text = description.replace(/\.$/, '');
  return notes.length === 0 ? text : `${text} (${notes.join('; ')})`.trim();
}

export function addFlags(command: Command, flags: readonly Flag[]): void {
  for (const flag of flags) {
    if (flag.kind === 'boolean') {
      command.addOption(new Option(flag.name, helpOf(flag)));
      // A flag that is off anyway needs no way to switch it off.
      if (flag.default !== false) {
        command.addOption(new Option(flag.name.replace('--', '--no-'), `The opposite of ${flag.name}`));
      }
      continue;
    }
    const option = new Option(`${flag.name} <${placeholderOf(flag)}>`, helpOf(flag));
    const parse = (text: string): unknown => parseFlag(flag, text);
    const each = (text: string): string[] => (isWordList(flag) ? wordsOf(text) : [text]);
    if (flag.repeatable)
      option.argParser<unknown[]>((text, before) => [...(before ?? []), ...each(text).map(parse)]);
    else option.argParser<unknown>(parse);
    command.addOption(option);
  }
}

/** The input that the flags make; what was not given stays out, for the schema to fill in. */
export function inputFrom(
  flags: readonly Flag[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given = flags.filter(({ key }) => values[key] !== undefined);
  return Object.fromEntries(given.map(({ key }) => [key, values[key] === NOTHING ? null : values[key]]));
}

/** Converts zod issues into readable problems. */
import type { z } from '../kernel/zod.ts';
import {
  allKeyPaths,
  describeType,
  type KeyPath,
  literalsOf,
  type SchemaNode,
  schemaAt,
  typesOf,
} from './json-schema.ts';
import { nearestName, sameName } from './nearest.ts';
import { type ConfigProblem, type Place, ProblemList, pathText } from './problems.ts';
import { BELONGS_TO } from './storage.ts';

/** Finds where a key, or the value behind it, was written. */
export type Locate = (path: KeyPath, part: 'key' | 'value') => Place;

/** Names that the systems use from which people come. */
const FOREIGN: Readonly<Record<string, string>> = {
  agent_name: 'name',
  model_name: 'models.main',
  rag_every_loop: 'knowledge.everyLoop',
  memory_chunk_size: 'knowledge.chunkSize',
};

/** What other systems keep in their configuration and we do not. */
const PROMPTS = ['instructions', 'systemPrompt', 'system_prompt', 'prompt'];
const NO_PROMPT =
  'unknown key; the prompt of an agent is the text of agents/<name>.md, or "systemPrompt" in code';

type Wording = Pick<ConfigProblem, 'message' | 'suggestion'>;

const quoted = (name: string): string => JSON.stringify(name);

/** The value as it was written, cut when long. Addresses may carry a password, so they are never repeated. */
function foundText(value: unknown, path: KeyPath): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (value === '') return 'an empty string';
  if (typeof value === 'string' && /url$/i.test(String(path.at(-1))))
    return 'a value that is not one of them';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text;
}

function valueAt(input: unknown, path: KeyPath): unknown {
  let value = input;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
  return value;
}

/** The place where a key of this name exists, nearest to the top first. */
function elsewhere(key: string): string[] | undefined {
  const paths = allKeyPaths().filter((path) => sameName(path.at(-1)!, key));
  return paths.sort((a, b) => a.length - b.length)[0];
}

function unknownKey(parent: KeyPath, key: string): Wording {
  if ((parent.length === 0 || parent[0] === 'agents') && PROMPTS.includes(key)) return { message: NO_PROMPT };
  const valid = Object.keys(schemaAt(parent)?.properties ?? {});
  const near = (Object.hasOwn(FOREIGN, key) ? FOREIGN[key] : undefined) ?? nearestName(key, valid);
  if (near !== undefined) return { message: `unknown key; did you mean ${quoted(near)}?`, suggestion: near };
  const other = elsewhere(key);
  if (other === undefined) return { message: `unknown key; expected one of ${valid.map(quoted).join(', ')}` };
  const suggestion = pathText(other);
  const hint =
    other.length === 1
      ? `${quoted(suggestion)} belongs to the top level`
      : `did you mean ${quoted(suggestion)}?`;
  return { message: `unknown key here; ${hint}`, suggestion };
}

/** A number or a truth value in quotes is what it looks like, if the schema asks for that type. */
function unquoted(value: string, node: SchemaNode): string | undefined {
  const isNumber =
    /^-?\d+(\.\d+)?$/.test(value) && typesOf(node).some((type) => type === 'number' || type === 'integer');
  const isBoolean = /^(true|false)$/.test(value) && typesOf(node).includes('boolean');
  return isNumber || isBoolean ? value : undefined;
}

function wrongValue(path: KeyPath, value: unknown): Wording {
  const node = schemaAt(path) ?? {};
  const message = `expected ${describeType(node)}, found ${foundText(value, path)}`;
  if (typeof value !== 'string') return { message };
  const bare = unquoted(value, node);
  if (bare !== undefined) return { message: `${message}; write ${bare} without quotes`, suggestion: bare };
  const literals = literalsOf(node).filter((literal) => typeof literal === 'string');
  const place = path.at(-1) === 'driver' && Object.hasOwn(BELONGS_TO, value) ? BELONGS_TO[value] : undefined;
  if (place !== undefined) {
    return { message: `${message}; ${quoted(value)} belongs in ${quoted(place)}`, suggestion: place };
  }
  const suggestion = nearestName(value, literals);
  return suggestion === undefined
    ? { message }
    : { message: `${message}; did you mean ${quoted(suggestion)}?`, suggestion };
}

function wording(issue: z.core.$ZodIssue, input: unknown): Wording {
  // A refinement without a message of its own says no more than that the value is not of its type.
  if (issue.code === 'custom' && issue.message !== 'Invalid input') return { message: issue.message };
  if (issue.code === 'invalid_key') return { message: issue.issues[0]?.message ?? issue.message };
  return wrongValue(issue.path, valueAt(input, issue.path));
}

/** Names of agents are keys that a person chose, so what is wrong with one is wrong with the key. */
function isAboutKey(issue: z.core.$ZodIssue): boolean {
  return (
    issue.code === 'invalid_key' ||
    (issue.code === 'custom' && issue.path[0] === 'agents' && issue.path.length === 2)
  );
}

/** One problem per key, however many bounds its value breaks: the text names all of them. */
export function explainIssues(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  locate: Locate,
): ProblemList {
  const byPath = new Map<string, () => ConfigProblem>();
  const add = (path: KeyPath, part: 'key' | 'value', words: () => Wording): void => {
    const text = pathText(path);
    byPath.set(text, () => ({ ...locate(path, part), path: text, ...words() }));
  };
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) add([...issue.path, key], 'key', () => unknownKey(issue.path, key));
    } else {
      add(issue.path, isAboutKey(issue) ? 'key' : 'value', () => wording(issue, input));
    }
  }
  const problems = new ProblemList();
  for (const describe of byPath.values()) problems.add(describe);
  return problems;
}

/** Explains validation errors of a schema: what was given, and what is allowed. */

import { nearestName } from './nearest.ts';
import type { z } from './zod.ts';

type Issue = z.core.$ZodIssue;

/** Messages that zod makes by itself; all others were written for the field that they are about. */
const STANDARD =
  /^(?:Invalid (?:input|option|string|key|element|date|number|ISO)|Too (?:small|big)|Unrecognized key)/;

/** Whoever sends a thousand wrong things is told of the first ones. */
export const MOST_TOLD = 10;
const LONGEST_NAME = 100;

/** `known` are the names that the object may have. */
export function explainIssue(issue: Issue, input: unknown, known: readonly string[]): string {
  const value = valueAt(input, issue.path);
  if (!STANDARD.test(issue.message)) {
    return issue.code === 'too_big'
      ? `${issue.message.replace(/\.$/, '')}${lengthOf(value)}.`
      : issue.message;
  }
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys
        .slice(0, MOST_TOLD)
        .map((key) => unknownHere(key, issue.path.length === 0 ? known : []))
        .join(' ');
    case 'invalid_type':
      return wrong(`${typeName(issue.expected)} is expected`, value);
    case 'invalid_value':
      return wrongChoice(issue.values, value);
    case 'invalid_union':
      return wrong(`${formsOf(issue.errors)} is expected`, value);
    case 'too_small':
      return bounded('at least', issue.origin, Number(issue.minimum), value);
    case 'too_big':
      return bounded('at most', issue.origin, Number(issue.maximum), value);
    default:
      return wrong(issue.message, value);
  }
}

/** What it takes instead is in the hint. */
function unknownHere(given: string, known: readonly string[]): string {
  const name = given.length > LONGEST_NAME ? `${given.slice(0, LONGEST_NAME).toWellFormed()}…` : given;
  return unknownName(name, nearestName(name, known) === undefined ? [] : known);
}

/** A sentence about a name that nobody knows, with the one that was most likely meant. */
export function unknownName(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  if (near !== undefined) return `${JSON.stringify(name)} is unknown; did you mean ${JSON.stringify(near)}?`;
  return known.length === 0
    ? `${JSON.stringify(name)} is unknown.`
    : `${JSON.stringify(name)} is unknown; it takes ${known.join(', ')}.`;
}

/** What a value of several kinds may be, by what each of them missed. */
function formsOf(branches: readonly (readonly Issue[])[]): string {
  const forms = branches.flatMap(([first]) => {
    if (first?.code === 'invalid_type') return [typeName(first.expected)];
    if (first?.code === 'invalid_format')
      return [FORMATS[first.format] ?? `A text in the form of ${first.format}`];
    if (first?.code === 'invalid_value') return [first.values.map(String).join(', ')];
    return [];
  });
  const [first = 'Another form', ...rest] = [...new Set(forms)];
  return [first, ...rest.map((form) => form.charAt(0).toLowerCase() + form.slice(1))].join(' or ');
}

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'A time such as "2026-11-03T14:00:00Z"',
};

function wrongChoice(values: readonly unknown[], value: unknown): string {
  const names = values.filter((each) => typeof each === 'string');
  const near = typeof value === 'string' ? nearestName(value, names) : undefined;
  const hint = near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`;
  return `${wrong(`${values.length === 1 ? '' : 'One of '}${values.map(String).join(', ')} is expected`, value)}${hint}`;
}

const ENTRIES = { one: 'entry', many: 'entries' };
const COUNTED: Readonly<Record<string, { one: string; many: string }>> = {
  string: { one: 'character', many: 'characters' },
  array: ENTRIES,
  set: ENTRIES,
};

function bounded(bound: string, origin: string, limit: number, value: unknown): string {
  const what = COUNTED[origin];
  if (what === undefined) return wrong(`It must be ${bound} ${limit}`, value);
  if (bound === 'at least' && limit === 1) return 'It must not be empty.';
  return `It has ${bound} ${limit} ${limit === 1 ? what.one : what.many}${lengthOf(value)}.`;
}

function lengthOf(value: unknown): string {
  const length = (value as { length?: number } | null | undefined)?.length;
  return length === undefined ? '' : `, and this one has ${length}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'A text',
  number: 'A number',
  int: 'A whole number',
  boolean: 'true or false',
  array: 'A list',
  object: 'An object',
  record: 'An object',
};

function typeName(expected: string): string {
  return TYPES[expected] ?? expected;
}

function wrong(sentence: string, value: unknown): string {
  return value === undefined ? `${sentence}, and nothing was given.` : `${sentence}, not ${found(value)}.`;
}

const LONGEST = 40;

function found(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a Date';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'function') return 'a function';
  if (value === '') return 'an empty text';
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, 2 * LONGEST)) : String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return value;
}

/** JSON Patch (RFC 6902): a list of operations that are all applied, or none of them. */
import { isDeepStrictEqual } from 'node:util';
import { KeepsakeError } from '../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../kernel/json.ts';
import { valueAt } from './edits.ts';
import { fromPointer, toIndex } from './path.ts';
import { isObject, toJson } from './values.ts';

export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/** An operation with its pointers taken apart. */
interface Step {
  readonly op: PatchOperation['op'];
  readonly path: readonly string[];
  readonly from: readonly string[];
  readonly value: JsonValue;
  readonly shown: string;
}

const NEEDS_VALUE = ['add', 'replace', 'test'];
const NEEDS_FROM = ['move', 'copy'];

const refuse = (message: string): KeepsakeError =>
  new KeepsakeError('INVALID_INPUT', message, {
    hint: 'A patch is a list such as [{ "op": "add", "path": "/findings/-", "value": "…" }] (RFC 6902).',
  });

export function readPatch(operations: unknown): readonly Step[] {
  if (!Array.isArray(operations)) throw refuse('A patch must be a list of operations.');
  return operations.map((given: unknown, i) => {
    const { op, path, from, value } = (given ?? {}) as Record<string, unknown>;
    if (op !== 'remove' && !NEEDS_VALUE.includes(op as string) && !NEEDS_FROM.includes(op as string))
      throw refuse(`Operation ${i + 1} of the patch has no valid "op".`);
    if (NEEDS_VALUE.includes(op as string) && value === undefined)
      throw refuse(`Operation ${i + 1} of the patch, "${op}", has no "value".`);
    return {
      op: op as Step['op'],
      path: fromPointer(path),
      from: NEEDS_FROM.includes(op as string) ? fromPointer(from) : [],
      value: NEEDS_VALUE.includes(op as string) ? toJson(value) : null,
      shown: `${op} ${path}`,
    };
  });
}

/** The top-level keys that the steps read or write; null for all. */
export function keysOf(steps: readonly Step[]): readonly string[] | null {
  const keys = new Set<string>();
  for (const { op, path, from } of steps) {
    for (const pointer of NEEDS_FROM.includes(op) ? [path, from] : [path]) {
      if (pointer[0] === undefined) return null;
      keys.add(pointer[0]);
    }
  }
  return [...keys];
}

export function applyPatch(document: JsonObject, steps: readonly Step[]): JsonObject {
  let result: JsonValue = document;
  for (const step of steps) result = apply(result, step);
  if (isObject(result)) return result;
  throw refuse('The patch would turn the state into something other than an object.');
}

function apply(document: JsonValue, step: Step): JsonValue {
  const { op, path, from, value, shown } = step;
  const missing = () => refuse(`"${shown}" failed: nothing exists at that path.`);
  switch (op) {
    case 'test': {
      if (isDeepStrictEqual(valueAt(document, path), value)) return document;
      throw new KeepsakeError(
        'CONFLICT',
        `"${shown}" failed: the value is different. The patch was not applied.`,
        {
          hint: 'Read the state again and make a new patch.',
        },
      );
    }
    case 'add':
      return put(document, path, value, true, shown);
    case 'remove':
      return put(document, path, undefined, false, shown);
    case 'replace':
      if (valueAt(document, path) === undefined) throw missing();
      return put(document, path, value, false, shown);
    default: {
      const moved = valueAt(document, from);
      if (moved === undefined) throw missing();
      if (op === 'copy') return put(document, path, moved, true, shown);
      if (path.length > from.length && from.every((key, i) => key === path[i]))
        throw refuse(`"${shown}" would move a value into itself.`);
      return put(put(document, from, undefined, false, shown), path, moved, true, shown);
    }
  }
}

/** Unlike `changeAt`: what leads there must exist, and `add` makes room in a list. */
function put(
  value: JsonValue,
  [key, ...rest]: readonly string[],
  next: JsonValue | undefined,
  insert: boolean,
  shown: string,
): JsonValue {
  const missing = () => refuse(`"${shown}" failed: nothing exists at that path.`);
  if (key === undefined) {
    if (next === undefined) throw refuse('The state itself cannot be removed.');
    return next;
  }
  if (Array.isArray(value)) {
    const index = key === '-' && insert && rest.length === 0 ? value.length : toIndex(key);
    const isNew = insert && rest.length === 0;
    if (index === undefined || index > value.length || (index === value.length && !isNew)) throw missing();
    if (rest.length > 0) return value.toSpliced(index, 1, put(value[index]!, rest, next, insert, shown));
    if (next === undefined) return value.toSpliced(index, 1);
    return value.toSpliced(index, insert ? 0 : 1, next);
  }
  if (!isObject(value)) throw missing();
  const child = Object.hasOwn(value, key) ? value[key] : undefined;
  if (rest.length > 0) {
    if (child === undefined) throw missing();
    return { ...value, [key]: put(child, rest, next, insert, shown) };
  }
  if (next !== undefined) return { ...value, [key]: next };
  if (child === undefined) throw missing();
  const { [key]: _, ...others } = value;
  return others;
}

/** Changes a document at a path without mutating it; unchanged parts are shared. */
import { KeepsakeError } from '../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../kernel/json.ts';
import { toIndex, toPointer } from './path.ts';
import { isObject } from './values.ts';

const refuse = (message: string, hint: string): KeepsakeError =>
  new KeepsakeError('INVALID_INPUT', message, { hint });

export function valueAt(document: JsonValue, keys: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const key of keys) {
    if (Array.isArray(value)) {
      const index = toIndex(key);
      value = index === undefined ? undefined : value[index];
    } else if (isObject(value)) {
      value = Object.hasOwn(value, key) ? value[key] : undefined;
    } else {
      return undefined;
    }
  }
  return value;
}

/** `change` gets what is there, or undefined, and answers with what shall be; undefined removes it. */
export function changeAt(
  document: JsonObject,
  keys: readonly string[],
  change: (value: JsonValue | undefined) => JsonValue | undefined,
): JsonObject {
  const changed = step(document, keys, 0, change);
  if (isObject(changed)) return changed;
  throw refuse('The state itself must stay an object.', 'Name the key to change, for example "findings".');
}

function step(
  value: JsonValue | undefined,
  keys: readonly string[],
  depth: number,
  change: (value: JsonValue | undefined) => JsonValue | undefined,
): JsonValue | undefined {
  const key = keys[depth];
  if (key === undefined) return change(value);
  const next = (child: JsonValue | undefined) => step(child, keys, depth + 1, change);
  if (Array.isArray(value)) return inList(value, key, next, keys.slice(0, depth));
  if (value !== undefined && !isObject(value)) {
    const place = toPointer(keys.slice(0, depth));
    throw refuse(`${place} is neither an object nor a list.`, 'Look at it first: get() shows what is there.');
  }
  // What is missing on the way becomes an object.
  const child = value !== undefined && Object.hasOwn(value, key) ? value[key] : undefined;
  const changed = next(child);
  if (changed !== undefined) return { ...value, [key]: changed };
  if (child === undefined) return value;
  const { [key]: _, ...rest } = value as JsonObject;
  return rest;
}

function inList(
  list: readonly JsonValue[],
  key: string,
  next: (child: JsonValue | undefined) => JsonValue | undefined,
  place: readonly string[],
): JsonValue[] {
  const index = key === '-' ? list.length : toIndex(key);
  if (index === undefined || index > list.length) {
    const last = list.length === 0 ? 'is empty' : `has the indexes 0 to ${list.length - 1}`;
    throw refuse(`The list ${toPointer(place)} ${last}, and no "${key}".`, 'Use append() to add at its end.');
  }
  const changed = next(list[index]);
  return changed === undefined ? list.toSpliced(index, 1) : list.toSpliced(index, 1, changed);
}

export function appended(value: JsonValue | undefined, entry: JsonValue, path: string): JsonValue[] {
  if (value === undefined) return [entry];
  if (Array.isArray(value)) return [...value, entry];
  throw refuse(
    `${path || 'The state'} is not a list.`,
    'Append to a list, or to a key that is not there yet.',
  );
}

export function incremented(value: JsonValue | undefined, by: number, path: string): number {
  const sum = typeof value === 'number' ? value + by : value === undefined ? by : Number.NaN;
  if (Number.isFinite(sum)) return sum;
  throw refuse(
    `${path || 'The state'} is not a number, so nothing can be added to it.`,
    'Set it to a number first.',
  );
}

/** RFC 7396: null removes, objects are merged, all else takes the place of what was there. */
export function merged(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  const out: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else out[key] = merged(Object.hasOwn(out, key) ? out[key] : undefined, value);
  }
  return out;
}

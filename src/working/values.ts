/** Validates values of a state: plain JSON, limited depth, no keys that could change a prototype. */
import { KeepsakeError } from '../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../kernel/json.ts';
import { checkKey, MAX_DEPTH } from './path.ts';

/** An object that contains itself many times over is small in memory and endless as JSON. */
const MAX_VALUES = 200_000;

const refuse = (message: string, hint: string): KeepsakeError =>
  new KeepsakeError('INVALID_INPUT', message, { hint });

/** A copy, so that changing the original afterwards changes nothing. Keys without a value are left out, as in JSON. */
export function toJson(given: unknown): JsonValue {
  let left = MAX_VALUES;
  const copy = (value: unknown, depth: number): JsonValue => {
    if (left-- <= 0) throw tooMuch();
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value !== 'object') throw notJson(value);
    if (depth >= MAX_DEPTH) throw tooDeep();
    if (Array.isArray(value)) return value.map((entry) => copy(entry, depth + 1));
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) throw notJson(value);
    const out: JsonObject = {};
    for (const [key, entry] of Object.entries(value)) {
      if (entry !== undefined) out[checkKey(key)] = copy(entry, depth + 1);
    }
    return out;
  };
  return copy(given, 0);
}

/** For what was put together from parts that were each shallow enough. */
export function checkDepth(value: JsonValue, depth = 1): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) throw tooDeep();
  for (const entry of Object.values(value)) checkDepth(entry, depth + 1);
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function notJson(value: unknown): KeepsakeError {
  const kind = typeof value === 'object' ? (value?.constructor?.name ?? 'object') : String(typeof value);
  return refuse(
    `A state holds JSON only, and this is ${typeof value === 'number' ? String(value) : `a ${kind}`}.`,
    'Use texts, finite numbers, true, false, null, lists and plain objects.',
  );
}

function tooDeep(): KeepsakeError {
  return refuse(
    `A state has at most ${MAX_DEPTH} levels.`,
    'Keep it flat; long lists of short entries are fine.',
  );
}

function tooMuch(): KeepsakeError {
  return new KeepsakeError('TOO_LARGE', `A change has at most ${MAX_VALUES} values.`, {
    hint: 'Store less at a time, and long texts in memory or in files.',
  });
}

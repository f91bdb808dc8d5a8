/** Converts session items to JSON and back without loss: bytes are marked, undefined values are omitted. */
import type { JsonObject, JsonValue } from '../../kernel/json.ts';

const MARK = '$keepsake';

export function encode(value: unknown): JsonValue {
  if (value instanceof Uint8Array) return { [MARK]: 'bytes', base64: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map((each) => (each === undefined ? null : encode(each)));
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  const fields = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => [key, encode(each)] as const);
  const plain = Object.fromEntries(fields) as JsonObject;
  // An object that happens to have our mark is marked itself.
  return Object.hasOwn(plain, MARK) ? { [MARK]: 'object', value: plain } : plain;
}

export function decode(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== 'object' || value === null) return value;
  if (value[MARK] === 'bytes') return new Uint8Array(Buffer.from(value.base64 as string, 'base64'));
  const fields = value[MARK] === 'object' ? (value.value as JsonObject) : value;
  return Object.fromEntries(Object.entries(fields).map(([key, each]) => [key, decode(each)]));
}

/** The order of the keys of an object says nothing. */
export function isSame(one: JsonValue, other: JsonValue): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, each]) => [key, sorted(each)]);
}

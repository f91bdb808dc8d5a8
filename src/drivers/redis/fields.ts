/** The fields of the hash that holds a state: a version and JSON as text for each key, and four numbers about the whole. */
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import type { Commands } from './connection.ts';

export interface Field {
  /** The version of the document that it was written with. */
  readonly version: string;
  readonly text: string;
}

/** `v` version, `u` updated at, `l` lease until, `b` bytes. No field of a key is that short. */
const META = ['v', 'u', 'l', 'b'] as const;
export type Meta = Readonly<Partial<Record<(typeof META)[number], string>>>;

/** As JSON, because a key may hold half a character, which no text in Redis can. */
export const fieldOf = (key: string): string => `k:${JSON.stringify(key)}`;
const keyOf = (field: string): string => JSON.parse(field.slice(2)) as string;

/** Size of the document as JSON, in bytes; an empty one counts one comma less than none. */
export function sizeOf(document: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(document)) + (Object.keys(document).length === 0 ? -1 : 0);
}

function toField(raw: string): Field {
  const colon = raw.indexOf(':');
  return { version: raw.slice(0, colon), text: raw.slice(colon + 1) };
}

/** Atomic: all of it is of one moment. Without `keys`, everything. */
export async function readFields(
  redis: Commands,
  state: string,
  keys: readonly string[] | undefined,
): Promise<{ meta: Meta; fields: ReadonlyMap<string, Field> }> {
  const names = keys === undefined ? undefined : [...META, ...keys.map(fieldOf)];
  const found: [name: string, raw: string][] = [];
  if (names === undefined) {
    const flat = (await redis.command('HGETALL', state)) as readonly string[];
    for (let i = 0; i < flat.length; i += 2) found.push([flat[i]!, flat[i + 1]!]);
  } else {
    const values = (await redis.command('HMGET', state, ...names)) as readonly (string | null)[];
    for (const [i, raw] of values.entries()) if (raw !== null) found.push([names[i]!, raw]);
  }
  const isMeta = ([name]: [string, string]): boolean => (META as readonly string[]).includes(name);
  const fields = found
    .filter((entry) => !isMeta(entry))
    .map(([name, raw]): [string, Field] => [keyOf(name), toField(raw)]);
  return { meta: Object.fromEntries(found.filter(isMeta)), fields: new Map(fields) };
}

export function toDocument(fields: ReadonlyMap<string, Field>): JsonObject {
  return Object.fromEntries([...fields].map(([key, { text }]) => [key, JSON.parse(text) as JsonValue]));
}

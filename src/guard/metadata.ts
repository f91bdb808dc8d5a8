/** The texts in the metadata of a memory: names and values, however deep. */
import type { JsonObject, JsonValue } from '../kernel/json.ts';

export function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner as JsonValue)]);
}

/** The same with every text changed, values only: a name is what a program looks for. */
export function mapTexts(value: JsonObject, change: (text: string) => string): JsonObject {
  const changed = (inner: JsonValue): JsonValue => {
    if (typeof inner === 'string') return change(inner);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Array.isArray(inner) ? inner.map(changed) : mapTexts(inner as JsonObject, change);
  };
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, changed(inner as JsonValue)]),
  );
}

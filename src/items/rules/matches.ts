/** Which items and namespaces a query means: filters with operators, and patterns of labels. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import type { Namespace } from '../../ports/item-store.ts';

type Comparison = (found: JsonValue | undefined, wanted: JsonValue) => boolean;

const ordered =
  (holds: (order: number) => boolean): Comparison =>
  (found, wanted) => {
    const order = compare(found, wanted);
    return order !== undefined && holds(order);
  };

const OPERATORS: Readonly<Record<string, Comparison>> = {
  $eq: isSame,
  $ne: (found, wanted) => !isSame(found, wanted),
  $gt: ordered((order) => order > 0),
  $gte: ordered((order) => order >= 0),
  $lt: ordered((order) => order < 0),
  $lte: ordered((order) => order <= 0),
};

/** Every field must match. Fields are those of the value itself; a value that is not an object has none. */
export function matchesFilter(value: JsonValue, filter: Readonly<Record<string, JsonValue>>): boolean {
  const fields = isObject(value) ? value : {};
  return Object.entries(filter).every(([field, wanted]) => {
    const found = Object.hasOwn(fields, field) ? fields[field] : undefined;
    return (
      operatorsOf(wanted)?.every(([name, operand]) => OPERATORS[name]!(found, operand)) ??
      isSame(found, wanted)
    );
  });
}

/** Undefined for a plain value, which must be equal. */
function operatorsOf(wanted: JsonValue): [string, JsonValue][] | undefined {
  if (!isObject(wanted)) return undefined;
  const entries = Object.entries(wanted);
  if (!entries.some(([name]) => name.startsWith('$'))) return undefined;
  const unknown = entries.find(([name]) => !Object.hasOwn(OPERATORS, name));
  if (unknown === undefined) return entries;
  throw new KeepsakeError('INVALID_INPUT', `Unknown filter operator ${JSON.stringify(unknown[0])}.`, {
    hint: `Use one of ${Object.keys(OPERATORS).join(', ')}.`,
  });
}

/** Whether a namespace begins with these labels; "*" represents any one. */
export const hasPrefix = (namespace: Namespace, prefix: Namespace): boolean =>
  prefix.length <= namespace.length && prefix.every((label, i) => label === '*' || label === namespace[i]);

export const hasSuffix = (namespace: Namespace, suffix: Namespace): boolean =>
  suffix.length <= namespace.length && hasPrefix(namespace.slice(namespace.length - suffix.length), suffix);

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Numbers with numbers, and texts with texts; anything else has no order. */
function compare(found: JsonValue | undefined, wanted: JsonValue): number | undefined {
  if (typeof found === 'number' && typeof wanted === 'number') return found - wanted;
  if (typeof found === 'string' && typeof wanted === 'string')
    return found < wanted ? -1 : Number(found > wanted);
  return undefined;
}

/** The order of the keys of an object says nothing. */
function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, i) => isSame(each, other[i]));
  if (isObject(one) && isObject(other)) {
    const keys = Object.keys(one);
    return (
      keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
    );
  }
  return one === other;
}

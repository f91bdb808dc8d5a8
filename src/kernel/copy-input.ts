/** Copies input, so that the caller cannot change it afterwards. */

/** Anything deeper or larger is refused later anyway; it is handed on as it is instead of being walked through. */
const MAX_DEPTH = 40;
const MAX_VALUES = 100_000;

/** Copies arrays and plain objects; everything else stays what it is, for validation to refuse. */
export function copyInput<T>(input: T): T {
  let left = MAX_VALUES;
  const copy = (value: unknown, depth: number): unknown => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || left-- <= 0) return value;
    if (Array.isArray(value)) return value.map((entry) => copy(entry, depth + 1));
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return value;
    // Built as own properties: a key "__proto__" must stay a key, for validation to refuse.
    const out: object = Object.create(prototype);
    for (const [key, entry] of Object.entries(value)) {
      Object.defineProperty(out, key, {
        value: copy(entry, depth + 1),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return out;
  };
  return copy(input, 0) as T;
}

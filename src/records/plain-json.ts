/** Checks that a value is a plain JSON object, and nothing else that JavaScript allows. */

const DANGEROUS = new Set(['__proto__', 'constructor', 'prototype']);
const MAX_DEPTH = 32;
/** An object that contains itself many times over is small in memory and endless as JSON. */
const MAX_VALUES = 50_000;

class Inspection {
  #left = MAX_VALUES;

  isJson(value: unknown, depth: number): boolean {
    if (this.#left-- <= 0) return false;
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
    if (typeof value === 'number') return Number.isFinite(value);
    if (typeof value !== 'object' || depth >= MAX_DEPTH) return false;
    if (Array.isArray(value)) return value.every((entry) => this.isJson(entry, depth + 1));
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return false;
    return Object.entries(value).every(
      ([key, entry]) => !DANGEROUS.has(key) && this.isJson(entry, depth + 1),
    );
  }
}

export function isPlainJson(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && new Inspection().isJson(value, 0)
  );
}

/** Tells a plain JSON object from everything else that JavaScript can put in its place. */

const DANGEROUS = new Set(['__proto__', 'constructor', 'prototype']);
const MAX_DEPTH = 32;

function isJson(value: unknown, depth: number): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((entry) => isJson(entry, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.entries(value).every(([key, entry]) => !DANGEROUS.has(key) && isJson(entry, depth + 1));
}

export function isPlainJson(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isJson(value, 0);
}

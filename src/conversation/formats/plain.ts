/** Copies untrusted data into plain JSON, or says which part of it is not. */
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { invalid } from './problem.ts';

/** Deeper than any tool's arguments, and far from the end of the stack. */
const MAX_DEPTH = 100;

/** Aliases let a small YAML file unfold into a huge one; a budget of values stops that. */
export interface Budget {
  left: number;
}

/** Without aliases a text cannot hold more values than characters; the constant leaves room for small files. */
export function budgetFor(text: string): Budget {
  return { left: text.length + 10_000 };
}

export function copyJson(value: unknown, path: string, budget?: Budget, depth = 0): JsonValue {
  if (budget !== undefined && --budget.left < 0) {
    throw invalid(path, 'unfolds into far more data than the file holds', 'Write it without aliases.');
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw invalid(path, `is ${value}, which JSON cannot say`);
  }
  if (typeof value !== 'object') throw invalid(path, `is ${typeof value}, which is not JSON`);
  if (depth >= MAX_DEPTH) throw invalid(path, `is nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) {
    return Array.from(value, (entry, index) => copyJson(entry, `${path}[${index}]`, budget, depth + 1));
  }
  return copyObject(value, path, budget, depth);
}

function copyObject(value: object, path: string, budget: Budget | undefined, depth: number): JsonObject {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw invalid(path, 'is not a plain object');
  const out: JsonObject = {};
  for (const [key, entry] of Object.entries(value)) {
    if (key === '__proto__') throw invalid(path, 'has the key "__proto__", which is refused');
    out[key] = copyJson(entry, path === '' ? key : `${path}.${key}`, budget, depth + 1);
  }
  return out;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

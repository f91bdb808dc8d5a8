/** Paths into the document: a key, a JSON Pointer (RFC 6901), or a list of keys. */
import { KeepsakeError } from '../kernel/errors.ts';

/** `findings`, `/findings/0/claim` or `['findings', 0, 'claim']`; empty for the whole document. */
export type StatePath = string | readonly (string | number)[];

/** With these, an object could be made to change its own kind. */
const DANGEROUS = new Set(['__proto__', 'constructor', 'prototype']);
export const MAX_DEPTH = 32;

export function checkKey(key: string): string {
  if (!DANGEROUS.has(key)) return key;
  throw new KeepsakeError('INVALID_INPUT', `The key ${JSON.stringify(key)} is not allowed in a state.`, {
    hint: 'Choose another name.',
  });
}

const invalid = (path: unknown): KeepsakeError =>
  new KeepsakeError('INVALID_INPUT', `${shown(path)} is not a path into the state.`, {
    hint: 'Give a key ("findings"), a JSON Pointer ("/findings/0"), or a list of keys (["findings", 0]).',
  });

export function toKeys(path: StatePath): readonly string[] {
  const keys = split(path);
  if (keys.length > MAX_DEPTH) {
    throw new KeepsakeError('INVALID_INPUT', `A path has at most ${MAX_DEPTH} steps.`, {
      hint: 'Keep the state flat; long lists of short entries are fine.',
    });
  }
  return keys.map(checkKey);
}

export function toPointer(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Strictly a JSON Pointer, as RFC 6902 wants it. */
export function fromPointer(pointer: unknown): readonly string[] {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) throw invalid(pointer);
  return toKeys(pointer);
}

/** The place of an entry in a list; undefined when the key is none. */
export function toIndex(key: string): number | undefined {
  return /^(0|[1-9]\d{0,9})$/.test(key) ? Number(key) : undefined;
}

function split(path: StatePath): readonly string[] {
  if (typeof path === 'string') {
    if (path === '') return [];
    if (!path.startsWith('/')) return [path];
    if (/~(?![01])/.test(path)) throw invalid(path);
    return path
      .slice(1)
      .split('/')
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  if (!Array.isArray(path)) throw invalid(path);
  return path.map((key: unknown) => {
    if (typeof key === 'string') return key;
    if (typeof key === 'number' && Number.isSafeInteger(key) && key >= 0) return String(key);
    throw invalid(path);
  });
}

function shown(path: unknown): string {
  return (JSON.stringify(path) ?? typeof path).slice(0, 80);
}

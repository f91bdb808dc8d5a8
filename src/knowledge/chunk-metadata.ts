/** What a record that was cut from a file knows about its place, and how it is cited. */

import { createHash } from 'node:crypto';
import { defined } from '../kernel/defined.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { MemoryRecord } from '../kernel/record.ts';
import type { ChunkOptions } from './chunk.ts';

export interface ChunkMetadata {
  /** What was added: a folder, or the file itself. */
  readonly root: string;
  readonly path: string;
  readonly unit: 'line' | 'page';
  readonly start: number;
  readonly end: number;
  readonly heading: string;
  /** Its position among the chunks of the file, from 0, and how many there are. */
  readonly chunk: number;
  readonly of: number;
  /** Of the whole file and how it was cut; on the first chunk only, so that a small change leaves the others alone. */
  readonly hash?: string;
}

const VERSION = 1;
const MAX_THREAD = 128;

export function toMetadata({ unit, start, end, heading, hash, ...rest }: ChunkMetadata): JsonObject {
  return {
    ...rest,
    ...(unit === 'line' ? { startLine: start, endLine: end } : { startPage: start, endPage: end }),
    ...(heading === '' ? {} : { heading }),
    ...defined({ hash }),
  };
}

/** Undefined for records that were not cut from a file. */
export function fromMetadata({ metadata }: Pick<MemoryRecord, 'metadata'>): ChunkMetadata | undefined {
  const { root, path, chunk, of, heading, hash } = metadata;
  if (typeof root !== 'string' || typeof path !== 'string') return undefined;
  if (typeof chunk !== 'number' || typeof of !== 'number') return undefined;
  const unit = typeof metadata.startPage === 'number' ? 'page' : 'line';
  const start = Number(unit === 'page' ? metadata.startPage : metadata.startLine);
  const end = Number(unit === 'page' ? metadata.endPage : metadata.endLine);
  return {
    ...{ root, path, chunk, of, unit, start, end },
    heading: typeof heading === 'string' ? heading : '',
    ...(typeof hash === 'string' ? { hash } : {}),
  };
}

/** `docs/a.md:12-40`, `manual.pdf#page=3`, or what a text without a file was given as its title or address. */
export function citationOf(record: Pick<MemoryRecord, 'id' | 'metadata'>): string {
  const place = fromMetadata(record);
  if (place === undefined) {
    const { url, title } = record.metadata;
    return [url, title].find((name) => typeof name === 'string' && name !== '')?.toString() ?? record.id;
  }
  const { path, unit, start, end } = place;
  const range = start === end ? String(start) : `${start}-${end}`;
  return unit === 'line' ? `${path}:${range}` : `${path}#page=${range}`;
}

/** Changes when the file does, or the way of cutting it. */
export function fileHash(bytes: Uint8Array, { size, overlap }: ChunkOptions): string {
  return createHash('sha256')
    .update(`${VERSION}:${size}:${overlap}:`)
    .update(bytes)
    .digest('hex')
    .slice(0, 32);
}

/** The thread of a file's chunks; a path that is too long for it is told apart by its hash. */
export function threadOf(path: string): string {
  const thread = `file:${path}`;
  if (thread.length <= MAX_THREAD && !/\p{Cc}/u.test(path) && path.trim() === path) return thread;
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 32);
  const tail = path
    .replace(/\p{Cc}/gu, ' ')
    .slice(-(MAX_THREAD - hash.length - 8))
    .toWellFormed()
    .trimEnd();
  return `file:${hash}:${tail}`;
}

/** The metadata of a chunk: its position in the file, and its citation. */

import { createHash } from 'node:crypto';
import { defined } from '../kernel/defined.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { MemoryRecord } from '../kernel/record.ts';
import type { ChunkOptions } from './chunk.ts';
import type { Unit } from './readers/placed-text.ts';

/** From and to. */
export type Place = readonly [start: number, end: number];

export interface ChunkMetadata {
  /** What was added: a folder, or the file itself. */
  readonly root: string;
  readonly path: string;
  readonly unit: Unit;
  readonly start: number;
  readonly end: number;
  /** Of a workbook. */
  readonly sheet?: string;
  /** Other places of the same file that say exactly the same. */
  readonly also?: readonly Place[];
  readonly heading: string;
  /** Its position among the chunks of the file, from 0, and how many there are. */
  readonly chunk: number;
  readonly of: number;
  /** Of the whole file and how it was cut; on the first chunk only, so that a small change leaves the others alone. */
  readonly hash?: string;
}

/** Raise this whenever files are read or cut in another way: the next refresh cuts them again. */
const VERSION = 2;
const MAX_THREAD = 128;

/** How each unit is named in metadata, as `startLine` and `endLine`. */
const NAMES: Readonly<Record<Unit, string>> = {
  line: 'Line',
  page: 'Page',
  paragraph: 'Paragraph',
  row: 'Row',
  slide: 'Slide',
  chapter: 'Chapter',
};
const UNITS = Object.keys(NAMES) as readonly Unit[];

export function toMetadata({
  unit,
  start,
  end,
  heading,
  hash,
  sheet,
  also,
  ...rest
}: ChunkMetadata): JsonObject {
  return {
    ...rest,
    ...{ [`start${NAMES[unit]}`]: start, [`end${NAMES[unit]}`]: end },
    ...(heading === '' ? {} : { heading }),
    ...(also === undefined || also.length === 0 ? {} : { also: also.map((place) => [...place]) }),
    ...defined({ hash, sheet }),
  };
}

/** Undefined for records that were not cut from a file. */
export function fromMetadata({ metadata }: Pick<MemoryRecord, 'metadata'>): ChunkMetadata | undefined {
  const { root, path, chunk, of, heading, hash, sheet, also } = metadata;
  if (typeof root !== 'string' || typeof path !== 'string') return undefined;
  if (typeof chunk !== 'number' || typeof of !== 'number') return undefined;
  const unit = UNITS.find((each) => typeof metadata[`start${NAMES[each]}`] === 'number') ?? 'line';
  return {
    ...{ root, path, chunk, of, unit },
    start: Number(metadata[`start${NAMES[unit]}`]),
    end: Number(metadata[`end${NAMES[unit]}`]),
    heading: typeof heading === 'string' ? heading : '',
    ...(typeof hash === 'string' ? { hash } : {}),
    ...(typeof sheet === 'string' ? { sheet } : {}),
    ...(Array.isArray(also) ? { also: (also as readonly unknown[]).filter(isPlace) } : {}),
  };
}

/** Whoever stores a record may give it any metadata. */
const isPlace = (value: unknown): value is Place =>
  Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'number');

/** `docs/a.md:12-40`, `manual.pdf#page=3`, or what a text without a file was given as its title or address. */
export function citationOf(record: Pick<MemoryRecord, 'id' | 'metadata'>): string {
  return citationsOf(record)[0] as string;
}

/** The citation, then those of the other places where the same file says exactly the same. */
export function citationsOf(record: Pick<MemoryRecord, 'id' | 'metadata'>): readonly string[] {
  const chunk = fromMetadata(record);
  if (chunk === undefined) {
    const { url, title } = record.metadata;
    return [[url, title].find((name) => typeof name === 'string' && name !== '')?.toString() ?? record.id];
  }
  const { start, end, also = [] } = chunk;
  return [[start, end] as const, ...also].map((place) => cited(chunk, place));
}

function cited({ path, unit, sheet }: ChunkMetadata, [start, end]: Place): string {
  const range = start === end ? String(start) : `${start}-${end}`;
  // The lines of a page on the web are seen by nobody.
  if (unit === 'line') return isWebAddress(path) ? path : `${path}:${range}`;
  return sheet === undefined ? `${path}#${unit}=${range}` : `${path}#sheet=${sheet}&${unit}=${range}`;
}

export const isWebAddress = (path: string): boolean => /^https?:\/\//i.test(path);

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

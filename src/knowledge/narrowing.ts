/** Finds the documents that a search is narrowed to: by path, folder, pattern or metadata. */
import { resolve } from 'node:path';
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { MemoryRecord } from '../kernel/record.ts';
import type { RecordStore } from '../ports/record-store.ts';
import { fromMetadata, isWebAddress } from './chunk-metadata.ts';
import { isGlob, matchesGlob } from './files/ignore-rules.ts';
import { eachRecord } from './known-files.ts';
import { isBelow, type Places } from './places.ts';

export interface Narrowing {
  readonly path?: string | undefined;
  readonly metadata?: JsonObject | undefined;
}

interface Parts {
  readonly store: RecordStore;
  readonly clock: Clock;
  readonly places: Places;
}

/** The threads of all documents that fit. */
export async function threadsWithin(
  { path, metadata = {} }: Narrowing,
  { store, clock, places }: Parts,
  caller: Caller,
): Promise<string[]> {
  const isThere = path === undefined ? () => true : await pathTest(path, places, caller);
  const threads = new Set<string>();
  const query = { viewer: caller.viewer, now: clock.now(), source: 'knowledge' } as const;
  for await (const record of eachRecord(store, query)) {
    if (record.thread === null || threads.has(record.thread)) continue;
    if (hasMetadata(record.metadata, metadata) && isThere(record)) threads.add(record.thread);
  }
  return [...threads];
}

async function pathTest(
  wanted: string,
  places: Places,
  caller: Caller,
): Promise<(record: MemoryRecord) => boolean> {
  const named = (record: MemoryRecord): string => {
    const url = typeof record.metadata.url === 'string' ? record.metadata.url : '';
    return fromMetadata(record)?.path ?? url;
  };
  if (isWebAddress(wanted)) return (record) => named(record).startsWith(wanted);
  if (isGlob(wanted)) return (record) => matchesGlob(wanted, named(record));
  // As it is named in memory, or as it is found from here.
  const root = await places.pathOf('.');
  const found = await places.find(wanted, caller).catch(() => resolve(wanted));
  const folders = [await places.pathOf(wanted), found];
  return (record) => {
    const path = fromMetadata(record)?.path;
    if (path === undefined || isWebAddress(path)) return false;
    return folders.some((folder) => isBelow(resolve(root, path), folder));
  };
}

/** A list has a value that is in it. */
export function hasMetadata(metadata: JsonObject, wanted: JsonObject): boolean {
  return Object.entries(wanted).every(([key, value]) => {
    const own = metadata[key];
    return same(own, value) || (Array.isArray(own) && own.some((each) => same(each, value)));
  });
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

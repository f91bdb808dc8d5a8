/** Lists the indexed files, derived from the records, so that no separate list can be wrong. */
import { defined } from '../kernel/defined.ts';
import type { MemoryRecord, Source } from '../kernel/record.ts';
import type { Scope, Viewer } from '../kernel/scope.ts';
import type { RecordFilter, RecordStore } from '../ports/record-store.ts';
import { fromMetadata, threadOf } from './chunk-metadata.ts';

/** A chunk in memory, without its text: of a large folder that would be too much to hold. */
export interface KnownChunk {
  readonly id: string;
  readonly chunk: number;
  readonly expiresAt: number | null;
  /** Another memory took its place, so it stays in the past whatever the file says. */
  readonly isSuperseded: boolean;
}

export interface KnownFile {
  readonly agent: string;
  /** The user for whom it was added; null for the agent itself. */
  readonly user: string | null;
  readonly root: string;
  readonly path: string;
  readonly scope: Scope;
  readonly updatedAt: number;
  /** Undefined when the first chunk is missing. */
  readonly hash: string | undefined;
  readonly of: number;
  readonly chunks: readonly KnownChunk[];
}

const PAGE = 500;

export interface KnownQuery {
  readonly viewer: Viewer;
  readonly now: number;
  readonly source: Source;
  readonly agent?: string | undefined;
  /** Undefined: of every user and of none. */
  readonly user?: string | null | undefined;
}

/** Files by agent and path. Expired chunks count: they come back to life when their file is indexed again. */
export async function knownFiles(store: RecordStore, query: KnownQuery): Promise<KnownFile[]> {
  const files = new Map<string, Mutable>();
  for await (const record of eachRecord(store, query)) {
    const place = fromMetadata(record);
    // Whoever stores a record may give it any metadata; only what has the thread of a file is one.
    if (place === undefined || record.thread !== threadOf(place.path)) continue;
    const key = JSON.stringify([record.agent, record.user, place.path]);
    const file = files.get(key) ?? begin(record, place.root, place.path);
    files.set(key, file);
    const isSuperseded = record.supersededBy !== null;
    file.chunks.push({ id: record.id, chunk: place.chunk, expiresAt: record.expiresAt, isSuperseded });
    file.updatedAt = Math.max(file.updatedAt, record.updatedAt);
    if (place.chunk === 0) Object.assign(file, { hash: place.hash, of: place.of, root: place.root });
  }
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

type Mutable = { -readonly [Key in keyof KnownFile]: KnownFile[Key] } & { chunks: KnownChunk[] };

function begin({ agent, user, scope, updatedAt }: MemoryRecord, root: string, path: string): Mutable {
  return { agent, user, root, path, scope, updatedAt, hash: undefined, of: 0, chunks: [] };
}

/** All chunks of one file with their texts, by position; several may claim the same one after a race of two processes. */
export async function chunksOf(
  store: RecordStore,
  query: KnownQuery & { readonly thread: string; readonly path: string },
): Promise<MemoryRecord[]> {
  const records: MemoryRecord[] = [];
  for await (const record of eachRecord(store, query, { thread: query.thread })) {
    if (fromMetadata(record)?.path === query.path) records.push(record);
  }
  const position = (record: MemoryRecord): number => fromMetadata(record)?.chunk ?? 0;
  return records.sort((a, b) => position(a) - position(b) || (a.id < b.id ? -1 : 1));
}

export async function* eachRecord(
  store: RecordStore,
  { viewer, now, source, agent, user }: KnownQuery,
  more: RecordFilter = {},
): AsyncGenerator<MemoryRecord> {
  const filter = { ...more, sources: [source], ...defined({ agent, user }) };
  for (let after: string | undefined; ; ) {
    const page = await store.list({
      ...{ viewer, now, filter, limit: PAGE, states: ['live', 'expired'] },
      ...defined({ after }),
    });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}

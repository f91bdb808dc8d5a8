/** A count and a checksum for each kind of thing that a store holds: two stores with the same seals hold the same. */
import { createHash, type Hash } from 'node:crypto';
import type { Storage } from '../../ports/storage.ts';
import { archivedThreads, boundaries } from '../boundaries.ts';
import { itemPages } from '../items.ts';
import { eventPages, messagePages, quarantined, recordPages } from './kinds.ts';

export const KINDS = [
  'records',
  'versions',
  'keys',
  'vectors',
  'messages',
  'threads',
  'quarantine',
  'items',
  'events',
] as const;
export type Kind = (typeof KINDS)[number];

export interface Seal {
  readonly count: number;
  /** SHA-256 of all of them in their order, in hex. */
  readonly sha256: string;
}

export type Seals = Readonly<Record<Kind, Seal>>;

/** The order of the keys of an object says nothing, and is not the same in every engine. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (value instanceof Float32Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, each]) => [key, canonical(each)]);
}

class Sealing {
  readonly #hash: Hash = createHash('sha256');
  #count = 0;

  add(value: unknown): void {
    this.#hash.update(`${JSON.stringify(canonical(value))}\n`);
    this.#count++;
  }

  seal(): Seal {
    return { count: this.#count, sha256: this.#hash.digest('hex') };
  }
}

/** Reads all that there is; `onRead` hears of each record, message and event. */
export async function sealsOf(storage: Storage, onRead: (count: number) => void = () => {}): Promise<Seals> {
  const of = Object.fromEntries(KINDS.map((kind) => [kind, new Sealing()])) as Record<Kind, Sealing>;
  for await (const page of recordPages(storage)) {
    for (const { earlier, keys, embedding, ...record } of page) {
      const { id } = record;
      of.records.add(record);
      for (const version of earlier) of.versions.add({ id, ...version });
      for (const key of keys) of.keys.add({ id, ...key });
      if (embedding !== undefined) of.vectors.add({ id, ...embedding });
    }
    onRead(page.length);
  }
  for await (const page of messagePages(storage)) {
    for (const { seq: _, ...message } of page) of.messages.add(message);
    onRead(page.length);
  }
  for await (const boundary of boundaries(storage.log)) of.threads.add(boundary);
  for await (const thread of archivedThreads(storage.log)) of.threads.add(thread);
  for (const entry of await quarantined(storage)) of.quarantine.add(entry);
  for await (const page of itemPages(storage)) {
    for (const { seq: _, ...item } of page) of.items.add(item);
  }
  for await (const page of eventPages(storage)) {
    for (const event of page) of.events.add(event);
    onRead(page.length);
  }
  return Object.fromEntries(KINDS.map((kind) => [kind, of[kind].seal()])) as Record<Kind, Seal>;
}

/** The kinds that are not the same. */
export function differing(one: Seals, other: Seals): Kind[] {
  return KINDS.filter((kind) => one[kind].sha256 !== other[kind].sha256);
}

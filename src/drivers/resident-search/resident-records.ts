/** All records of a store in memory, with the indexes over them: what a driver puts in is found, what it takes out is not. */
import { analyze } from '../../kernel/analysis.ts';
import type { MemoryRecord } from '../../kernel/record.ts';
import { isShared } from '../../kernel/scope.ts';
import { partitionOf as ownerPartition } from '../common/partitions.ts';
import { Bm25Ranker } from '../search-kernels/text/bm25-ranker.ts';
import { InvertedIndex, MAX_RECORDS } from '../search-kernels/text/inverted-index.ts';
import { TermCounter } from '../search-kernels/text/term-counter.ts';
import { partitionOf } from './partitions.ts';
import { ResidentVectors } from './resident-vectors.ts';

export interface ResidentRow {
  readonly rid: number;
  /** As it reads before it expires; undefined when it was forgotten or is not there. */
  readonly record: MemoryRecord | undefined;
  readonly embedding: { readonly model: string; readonly vector: Float32Array } | undefined;
}

/** Memory of a record besides its texts: numbers, names, entries in tables. */
const OVERHEAD = 800;
const BYTES_PER_WORD = 13;
/** A code and the exact number. */
const BYTES_PER_DIMENSION = 5;
/** Entries of removed records; with more than this, and more than are in use, everything is read again. */
const MOST_LOST = 100_000;

interface Kept {
  readonly record: MemoryRecord;
  readonly bytes: number;
}

const threadOf = ({ agent, user, thread }: MemoryRecord): string => JSON.stringify([agent, user, thread]);

const indexed = ({
  id,
  agent,
  user,
  scope,
  source,
  thread,
  category,
  tags,
  content,
  metadata,
}: MemoryRecord): string =>
  JSON.stringify([id, agent, user, scope, source, thread, category, tags, content, metadata]);

export class ResidentRecords {
  readonly index = new InvertedIndex();
  readonly ranker: Bm25Ranker;
  readonly counter = new TermCounter(this.index);
  readonly vectors = new ResidentVectors();
  readonly #kept = new Map<number, Kept>();
  readonly #rids = new Map<string, number>();
  /** Row numbers of the records of each thread, in order. */
  readonly #threads = new Map<string, number[]>();
  #bytes = 0;

  constructor(ln: (value: number) => number) {
    this.ranker = new Bm25Ranker(this.index, ln);
  }

  /** Roughly how much memory it takes. */
  get bytes(): number {
    return this.#bytes + this.index.documents.entries * BYTES_PER_WORD;
  }

  /** Too much of it is entries of records that are gone. */
  get isWorn(): boolean {
    const { lost, entries } = this.index.documents;
    return lost > Math.max(MOST_LOST, entries);
  }

  ridOf(id: string): number | undefined {
    return this.#rids.get(id);
  }

  get(rid: number): MemoryRecord | undefined {
    return this.#kept.get(rid)?.record;
  }

  all(): Iterable<number> {
    return this.#kept.keys();
  }

  /** The row numbers of the thread of a record, in order. */
  thread(record: MemoryRecord): readonly number[] {
    return this.#threads.get(threadOf(record)) ?? [];
  }

  /** False when it can hold no more. */
  put(rows: readonly ResidentRow[]): boolean {
    this.index.remove(rows.filter(({ record }) => record === undefined).map(({ rid }) => rid));
    for (const { rid, record, embedding } of rows) {
      if (record !== undefined && this.#isOnlyCounted(rid, record, embedding)) continue;
      this.#drop(rid);
      if (record === undefined) this.vectors.put(rid, undefined);
      else if (rid >= MAX_RECORDS) return false;
      else this.#add(rid, record, embedding);
    }
    return true;
  }

  /** Being used changes a record often, and nothing that is indexed. */
  #isOnlyCounted(rid: number, record: MemoryRecord, embedding: ResidentRow['embedding']): boolean {
    const kept = this.#kept.get(rid);
    if (kept === undefined || indexed(kept.record) !== indexed(record)) return false;
    this.vectors.put(rid, embedding && { ...embedding, partition: ownerPartition(record) });
    this.#kept.set(rid, { ...kept, record });
    return true;
  }

  #add(rid: number, record: MemoryRecord, embedding: ResidentRow['embedding']): void {
    const { id, category, tags, content, metadata } = record;
    const labels = [category, ...tags].join(' ');
    const marks = isShared(record) || record.user !== null ? 2 : 1;
    this.index.put(rid, partitionOf(record), { body: analyze(content), labels: analyze(labels) }, marks);
    this.vectors.put(rid, embedding && { ...embedding, partition: ownerPartition(record) });
    const texts = content.length + labels.length + JSON.stringify(metadata).length;
    const bytes = OVERHEAD + 2 * texts + BYTES_PER_DIMENSION * (embedding?.vector.length ?? 0);
    this.#kept.set(rid, { record, bytes });
    this.#rids.set(id, rid);
    this.#bytes += bytes;
    if (record.thread === null) return;
    const name = threadOf(record);
    const thread = this.#threads.get(name) ?? [];
    this.#threads.set(name, thread);
    const after = thread.findLastIndex((other) => other < rid);
    thread.splice(after + 1, 0, rid);
  }

  #drop(rid: number): void {
    const kept = this.#kept.get(rid);
    if (kept === undefined) return;
    this.#kept.delete(rid);
    this.#rids.delete(kept.record.id);
    this.#bytes -= kept.bytes;
    if (kept.record.thread === null) return;
    const name = threadOf(kept.record);
    const thread = this.#threads.get(name)!;
    thread.splice(thread.indexOf(rid), 1);
    if (thread.length === 0) this.#threads.delete(name);
  }
}

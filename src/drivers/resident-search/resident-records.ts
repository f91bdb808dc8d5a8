/** All records of a store in memory, with the indexes over them: what a driver puts in is found, what it takes out is not. */
import type { MemoryRecord } from '../../kernel/record.ts';
import { partitionOf } from '../common/partitions.ts';
import type { Logarithm } from '../search-kernels/text/bm25.ts';
import { ResidentVectors } from './resident-vectors.ts';
import { ResidentWords } from './resident-words.ts';

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
  readonly words: ResidentWords;
  readonly vectors = new ResidentVectors();
  readonly #kept = new Map<number, Kept>();
  readonly #rids = new Map<string, number>();
  /** Row numbers of the records of each thread, in order. */
  readonly #threads = new Map<string, number[]>();
  #bytes = 0;

  constructor(ln: Logarithm) {
    this.words = new ResidentWords(ln);
  }

  /** Roughly how much memory it takes. */
  get bytes(): number {
    return this.#bytes + this.words.entries * BYTES_PER_WORD;
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
    const changed = rows.filter((row) => !this.#isOnlyCounted(row));
    if (!this.words.put(changed)) return false;
    for (const { rid, record, embedding } of changed) {
      this.#drop(rid);
      if (record === undefined) this.vectors.put(rid, undefined);
      else this.#add(rid, record, embedding);
    }
    return true;
  }

  /** Being used changes a record often, and nothing that is indexed. */
  #isOnlyCounted({ rid, record, embedding }: ResidentRow): boolean {
    const kept = this.#kept.get(rid);
    if (kept === undefined || record === undefined || indexed(kept.record) !== indexed(record)) return false;
    this.vectors.put(rid, embedding && { ...embedding, partition: partitionOf(record) });
    this.#kept.set(rid, { ...kept, record });
    return true;
  }

  #add(rid: number, record: MemoryRecord, embedding: ResidentRow['embedding']): void {
    const { id, category, tags, content, metadata } = record;
    this.vectors.put(rid, embedding && { ...embedding, partition: partitionOf(record) });
    const texts = content.length + [category, ...tags].join(' ').length + JSON.stringify(metadata).length;
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

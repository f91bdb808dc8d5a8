/** Vectors that were read, for as long as they are those of the database: good candidates come up again and again. */
import type { Database } from 'better-sqlite3';
import { cosine, fromBlob } from '../../common/vector-math.ts';
import { VectorSlots } from './vector-slots.ts';

interface Row {
  readonly seq: number;
  readonly vector: Buffer;
}

export class VectorCache {
  readonly #dataVersion;
  readonly #bySeq;
  readonly #byRid;
  /** By model. While a workspace moves to another one, both are in use. */
  readonly #slots = new Map<number, VectorSlots>();
  #version = -1;

  constructor(database: Database) {
    this.#dataVersion = database.prepare('PRAGMA data_version').pluck();
    this.#bySeq = database.prepare('SELECT vector FROM record_vectors WHERE seq = ?').pluck();
    this.#byRid = database.prepare('SELECT seq, vector FROM record_vectors WHERE rid = ? AND model = ?');
  }

  /** To be called first in every transaction that reads: what another process wrote may be anything. */
  refresh(): void {
    const version = this.#dataVersion.get() as number;
    if (version === this.#version) return;
    this.#version = version;
    for (const slots of this.#slots.values()) slots.clear();
  }

  /** All of them were replaced at once. */
  clear(): void {
    this.#slots.clear();
  }

  /** This process takes the vector of a record away. */
  drop(rid: number): void {
    for (const slots of this.#slots.values()) slots.drop(rid);
  }

  /** The cosine with a row: undefined when it is gone, null when it does not hold as many numbers. */
  withRow(query: Float32Array, model: number, rid: number, seq: number): number | null | undefined {
    const slots = this.#of(model, query.length);
    let slot = slots.find(rid);
    if (slot < 0 || slots.seqAt(slot) !== seq) {
      const blob = this.#bySeq.get(seq) as Buffer | undefined;
      if (blob === undefined) return undefined;
      const vector = fromBlob(blob, query.length);
      if (vector === undefined) return null;
      slot = slots.put(rid, seq, vector);
    }
    return cosine(query, slots.chunkOf(slot), slots.offsetOf(slot));
  }

  /** The cosine with a record; undefined when it has no vector of this model. */
  withRecord(query: Float32Array, model: number, rid: number): number | undefined {
    const slots = this.#of(model, query.length);
    let slot = slots.find(rid);
    if (slot < 0) {
      const row = this.#byRid.get(rid, model) as Row | undefined;
      const vector = row === undefined ? undefined : fromBlob(row.vector, query.length);
      if (vector === undefined) return undefined;
      slot = slots.put(rid, row!.seq, vector);
    }
    return cosine(query, slots.chunkOf(slot), slots.offsetOf(slot));
  }

  #of(model: number, dimensions: number): VectorSlots {
    let slots = this.#slots.get(model);
    if (slots === undefined) {
      slots = new VectorSlots(dimensions);
      this.#slots.set(model, slots);
    }
    return slots;
  }
}

/** Caches exact vectors while the database is unchanged by other processes: good candidates come up again and again. */
import type { Database } from 'better-sqlite3';
import { fromBlob } from '../../common/vector-math.ts';
import { VectorSlots } from '../../search-kernels/vectors/vector-slots.ts';

interface Row {
  readonly seq: number;
  readonly vector: Buffer;
}

interface OfModel {
  readonly model: number;
  readonly dimensions: number;
  readonly slots: VectorSlots;
}

export class VectorCache {
  readonly #dataVersion;
  readonly #bySeq;
  readonly #byRid;
  /** By model. While a workspace moves to another model, both are in use. */
  readonly #models = new Map<number, OfModel>();
  #inUse: OfModel | undefined;
  #version = -1;

  constructor(database: Database) {
    this.#dataVersion = database.prepare('PRAGMA data_version').pluck();
    this.#bySeq = database.prepare('SELECT vector FROM record_vectors WHERE seq = ?').pluck();
    this.#byRid = database.prepare('SELECT seq, vector FROM record_vectors WHERE rid = ? AND model = ?');
  }

  /** Call first in every read transaction: empties the cache when another process has written anything. */
  refresh(): void {
    const version = this.#dataVersion.get() as number;
    if (version === this.#version) return;
    this.#version = version;
    for (const { slots } of this.#models.values()) slots.clear();
  }

  /** All vectors were replaced at once. */
  clear(): void {
    this.#models.clear();
    this.#inUse = undefined;
  }

  /** This process removes the vector of a record. */
  drop(rid: number): void {
    for (const { slots } of this.#models.values()) slots.drop(rid);
  }

  /** Whether another vector would overwrite one in use; also true before the first search. */
  get isFull(): boolean {
    return this.#inUse?.slots.isFull ?? true;
  }

  /** Reads the vector of a record ahead, for the model of the last search. */
  readAhead(rid: number): void {
    const inUse = this.#inUse;
    if (inUse !== undefined && inUse.slots.find(rid) < 0) this.#read(inUse, rid);
  }

  /** The cosine with a row: undefined when the row is gone, null when its size is wrong. */
  withRow(query: Float32Array, model: number, rid: number, seq: number): number | null | undefined {
    const { slots } = this.#of(model, query.length);
    let slot = slots.find(rid);
    if (slot < 0 || slots.seqAt(slot) !== seq) {
      const blob = this.#bySeq.get(seq) as Buffer | undefined;
      if (blob === undefined) return undefined;
      const vector = fromBlob(blob, query.length);
      if (vector === undefined) return null;
      slot = slots.put(rid, seq, vector);
    }
    return slots.cosine(query, slot);
  }

  /** The cosine with a record; undefined when the record has no vector of this model. */
  withRecord(query: Float32Array, model: number, rid: number): number | undefined {
    const ofModel = this.#of(model, query.length);
    const { slots } = ofModel;
    const known = slots.find(rid);
    const slot = known < 0 ? this.#read(ofModel, rid) : known;
    return slot === undefined ? undefined : slots.cosine(query, slot);
  }

  #read({ model, dimensions, slots }: OfModel, rid: number): number | undefined {
    const row = this.#byRid.get(rid, model) as Row | undefined;
    const vector = row === undefined ? undefined : fromBlob(row.vector, dimensions);
    return vector === undefined ? undefined : slots.put(rid, row!.seq, vector);
  }

  #of(model: number, dimensions: number): OfModel {
    let ofModel = this.#models.get(model);
    if (ofModel === undefined) {
      ofModel = { model, dimensions, slots: new VectorSlots(dimensions) };
      this.#models.set(model, ofModel);
    }
    this.#inUse = ofModel;
    return ofModel;
  }
}

/** Vectors that were read, for as long as they are those of the database: good candidates come up again and again. */
import type { Database } from 'better-sqlite3';
import { fromBlob } from '../../common/vector-math.ts';

const MAX_BYTES = 32 * 2 ** 20;
/** What an entry costs beside its numbers. */
const OVERHEAD = 400;

interface Row {
  readonly seq: number;
  readonly vector: Buffer;
}

export class VectorCache {
  readonly #dataVersion;
  readonly #bySeq;
  readonly #byId;
  /** A row never changes: a new vector of a record is a new row. */
  readonly #vectors = new Map<number, Float32Array>();
  /** By model and record: after a change of models the record has a row of another one. */
  readonly #seqs = new Map<string, number>();
  #bytes = 0;
  #version = -1;

  constructor(database: Database) {
    this.#dataVersion = database.prepare('PRAGMA data_version').pluck();
    this.#bySeq = database.prepare('SELECT vector FROM record_vectors WHERE seq = ?').pluck();
    this.#byId = database.prepare(
      'SELECT v.seq, v.vector FROM records r JOIN record_vectors v ON v.rid = r.rid WHERE r.id = ? AND v.model = ?',
    );
  }

  /** To be called first in every transaction that reads: what another process wrote may be anything. */
  refresh(): void {
    const version = this.#dataVersion.get() as number;
    if (version === this.#version) return;
    this.#version = version;
    this.clear();
  }

  clear(): void {
    this.#vectors.clear();
    this.#seqs.clear();
    this.#bytes = 0;
  }

  /** This process takes a row away. */
  drop(seq: number): void {
    const vector = this.#vectors.get(seq);
    if (vector === undefined) return;
    this.#vectors.delete(seq);
    this.#bytes -= vector.byteLength + OVERHEAD;
  }

  /** Undefined when the row is gone, null when it does not hold so many numbers. */
  ofRow(seq: number, dimensions: number): Float32Array | null | undefined {
    const known = this.#vectors.get(seq);
    if (known !== undefined) return known;
    const blob = this.#bySeq.get(seq) as Buffer | undefined;
    return blob === undefined ? undefined : (this.#keep(seq, blob, dimensions) ?? null);
  }

  /** Undefined when the record has no vector of this model. */
  ofRecord(id: string, model: number, dimensions: number): Float32Array | undefined {
    const key = `${model} ${id}`;
    const seq = this.#seqs.get(key);
    const known = seq === undefined ? undefined : this.#vectors.get(seq);
    if (known !== undefined) return known;
    const row = this.#byId.get(id, model) as Row | undefined;
    if (row === undefined) return undefined;
    this.#seqs.set(key, row.seq);
    return this.#keep(row.seq, row.vector, dimensions);
  }

  #keep(seq: number, blob: Buffer, dimensions: number): Float32Array | undefined {
    const vector = fromBlob(blob, dimensions);
    if (vector === undefined) return undefined;
    this.#vectors.set(seq, vector);
    this.#bytes += vector.byteLength + OVERHEAD;
    for (const oldest of this.#vectors.keys()) {
      if (this.#bytes <= MAX_BYTES) break;
      this.drop(oldest);
    }
    if (this.#seqs.size > 2 * this.#vectors.size + 1_024) this.#seqs.clear();
    return vector;
  }
}

/** Places for the exact vectors of records, side by side in memory; when all are taken, the oldest makes room. */

const MAX_BYTES = 128 * 2 ** 20;
/** Memory is asked for as it is needed, so many places at a time. */
const CHUNK = 512;
/** The part that is filled ahead of searches. */
const FULL = 0.9;
const NOWHERE = -1;
const NOBODY = 0;

export class VectorSlots {
  readonly #dimensions: number;
  readonly #most: number;
  readonly #chunks: Float32Array[] = [];
  /** By row number of the record. */
  readonly #slots = new Map<number, number>();
  readonly #rids: number[] = [];
  readonly #seqs: number[] = [];
  #next = 0;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#most =
      CHUNK * Math.max(1, Math.floor(MAX_BYTES / (CHUNK * dimensions * Float32Array.BYTES_PER_ELEMENT)));
  }

  /** Whether another one would take the place of one that is here. */
  get isFull(): boolean {
    return this.#slots.size >= FULL * this.#most;
  }

  /** Where the vector of a record is; less than 0 when it is not here. */
  find(rid: number): number {
    return this.#slots.get(rid) ?? NOWHERE;
  }

  /** The number of the vector's row. */
  seqAt(slot: number): number {
    return this.#seqs[slot]!;
  }

  chunkOf(slot: number): Float32Array {
    return this.#chunks[Math.floor(slot / CHUNK)]!;
  }

  /** Where in its chunk it begins. */
  offsetOf(slot: number): number {
    return (slot % CHUNK) * this.#dimensions;
  }

  put(rid: number, seq: number, vector: Float32Array): number {
    this.drop(rid);
    const slot = this.#next;
    this.#next = (slot + 1) % this.#most;
    const before = this.#rids[slot] ?? NOBODY;
    if (before !== NOBODY) this.#slots.delete(before);
    if (slot === this.#chunks.length * CHUNK) this.#chunks.push(new Float32Array(CHUNK * this.#dimensions));
    this.chunkOf(slot).set(vector, this.offsetOf(slot));
    this.#rids[slot] = rid;
    this.#seqs[slot] = seq;
    this.#slots.set(rid, slot);
    return slot;
  }

  /** Nothing of it stays. */
  drop(rid: number): void {
    const slot = this.#slots.get(rid);
    if (slot === undefined) return;
    this.#slots.delete(rid);
    this.#rids[slot] = NOBODY;
    const offset = this.offsetOf(slot);
    this.chunkOf(slot).fill(0, offset, offset + this.#dimensions);
  }

  clear(): void {
    this.#slots.clear();
    this.#rids.length = this.#seqs.length = this.#next = 0;
  }
}

/** A ring of slots for exact vectors, adjacent in memory; when all slots are taken, the oldest vector is overwritten. */
import { cosine } from './dot.ts';
import { canMultiply, type DotKernel, dotKernel, NUMBERS_PER_TURN } from './dot-kernel.ts';
import { WASM_PAGE, type WasmMemory, wasm } from './wasm.ts';

const MAX_BYTES = 128 * 2 ** 20;
const FLOAT = Float32Array.BYTES_PER_ELEMENT;
/** Memory grows when it is needed, by so many slots at a time. */
const CHUNK = 512;
/** The part of the slots that may be filled ahead of searches. */
const FULL = 0.9;
const NOWHERE = -1;
const NOBODY = 0;

/** Memory that grows, with room for the query in front of the vectors. */
class Numbers {
  readonly #memory: WasmMemory | undefined;
  readonly multiply: DotKernel | undefined;
  all: Float32Array;

  constructor(dimensions: number) {
    const isQuick = dimensions % NUMBERS_PER_TURN === 0 && canMultiply();
    const pages = Math.ceil((dimensions * FLOAT) / WASM_PAGE);
    const maximum = pages + Math.ceil((MAX_BYTES + CHUNK * dimensions * FLOAT) / WASM_PAGE);
    this.#memory = isQuick ? new wasm!.Memory({ initial: pages, maximum }) : undefined;
    this.multiply = this.#memory === undefined ? undefined : dotKernel(this.#memory);
    this.all =
      this.#memory === undefined ? new Float32Array(dimensions) : new Float32Array(this.#memory.buffer);
  }

  reserve(length: number): void {
    const missing = length - this.all.length;
    if (missing <= 0) return;
    if (this.#memory !== undefined) {
      this.#memory.grow(Math.ceil((missing * FLOAT) / WASM_PAGE));
      this.all = new Float32Array(this.#memory.buffer);
      return;
    }
    const before = this.all;
    this.all = new Float32Array(Math.max(length, 2 * before.length));
    this.all.set(before);
  }
}

export class VectorSlots {
  readonly #dimensions: number;
  readonly #most: number;
  readonly #numbers: Numbers;
  /** By row number of the record. */
  readonly #slots = new Map<number, number>();
  readonly #rids: number[] = [];
  readonly #seqs: number[] = [];
  #next = 0;
  /** The query that was last copied in front of the vectors. */
  #query: Float32Array | undefined;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#numbers = new Numbers(dimensions);
    this.#most = CHUNK * Math.max(1, Math.floor(MAX_BYTES / (CHUNK * dimensions * FLOAT)));
  }

  /** Whether another vector would overwrite one that is in use. */
  get isFull(): boolean {
    return this.#slots.size >= FULL * this.#most;
  }

  /** The slot of a record's vector; below 0 when there is none. */
  find(rid: number): number {
    return this.#slots.get(rid) ?? NOWHERE;
  }

  /** The number of the vector's database row. */
  seqAt(slot: number): number {
    return this.#seqs[slot]!;
  }

  /** The cosine of two vectors of unit length. */
  cosine(query: Float32Array, slot: number): number {
    const { multiply, all } = this.#numbers;
    const offset = this.#offsetOf(slot);
    if (multiply === undefined) return cosine(query, all, offset);
    if (this.#query !== query) {
      all.set(query);
      this.#query = query;
    }
    return Math.max(-1, Math.min(1, multiply(0, query.length * FLOAT, offset * FLOAT)));
  }

  put(rid: number, seq: number, vector: Float32Array): number {
    this.drop(rid);
    const slot = this.#next;
    this.#next = (slot + 1) % this.#most;
    const before = this.#rids[slot] ?? NOBODY;
    if (before !== NOBODY) this.#slots.delete(before);
    if (slot % CHUNK === 0) this.#numbers.reserve(this.#offsetOf(slot + CHUNK));
    this.#numbers.all.set(vector, this.#offsetOf(slot));
    this.#rids[slot] = rid;
    this.#seqs[slot] = seq;
    this.#slots.set(rid, slot);
    return slot;
  }

  /** Overwrites the vector with zeros. */
  drop(rid: number): void {
    const slot = this.#slots.get(rid);
    if (slot === undefined) return;
    this.#slots.delete(rid);
    this.#rids[slot] = NOBODY;
    const offset = this.#offsetOf(slot);
    this.#numbers.all.fill(0, offset, offset + this.#dimensions);
  }

  clear(): void {
    this.#slots.clear();
    this.#rids.length = this.#seqs.length = this.#next = 0;
  }

  /** The query takes the first place. */
  #offsetOf(slot: number): number {
    return (slot + 1) * this.#dimensions;
  }
}

/** Memory for the rounded vectors of one model, given out in blocks, so that many small silos fit as well as one large. */
import type { QuantizedQuery } from './quantize.ts';
import { ROWS_PER_TURN, type ScanKernel, STEP, scanKernel } from './scan-kernel.ts';
import { ScoreRanking } from './score-ranking.ts';
import { MAX_WASM_PAGES, WASM_PAGE, type WasmMemory, wasm } from './wasm.ts';

export const ROWS_PER_BLOCK = 64;
const FLOAT = Float32Array.BYTES_PER_ELEMENT;
const COLUMN = ROWS_PER_BLOCK * FLOAT;
/** Memory is asked for in doubles: what was never written to costs nothing but addresses. */
const GROWTH = 1;

export class CodeMemory {
  readonly dimensions: number;
  /** Bytes from one row to the next. */
  readonly stride: number;
  readonly #memory: WasmMemory;
  readonly #scan: ScanKernel;
  readonly #blockBytes: number;
  readonly #highest: number;
  readonly #free: number[] = [];
  #end: number;
  #bytes: Int8Array;
  #floats: Float32Array;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.stride = Math.ceil(dimensions / STEP) * STEP;
    this.#blockBytes = ROWS_PER_BLOCK * this.stride + 3 * COLUMN;
    // The query comes first, then what the scan says of a block as a whole.
    this.#highest = 2 * this.stride;
    this.#end = this.#highest + ROWS_PER_TURN * FLOAT;
    this.#memory = new wasm!.Memory({ initial: Math.ceil(this.#end / WASM_PAGE), maximum: MAX_WASM_PAGES });
    this.#scan = scanKernel(this.#memory);
    this.#bytes = new Int8Array(this.#memory.buffer);
    this.#floats = new Float32Array(this.#memory.buffer);
  }

  /** The address of a block whose content is of no consequence. Throws a RangeError when memory is used up. */
  take(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const block = this.#end;
    const missing = block + this.#blockBytes - this.#bytes.length;
    if (missing > 0) this.#grow(missing);
    this.#end = block + this.#blockBytes;
    return block;
  }

  give(block: number): void {
    this.#free.push(block);
  }

  /** The codes of a row; valid until the next `take`. */
  row(block: number, row: number): Int8Array {
    const start = block + row * this.stride;
    return this.#bytes.subarray(start, start + this.dimensions);
  }

  describe(block: number, row: number, scale: number, margin: number): void {
    const column = (block + ROWS_PER_BLOCK * this.stride) / FLOAT + row;
    this.#floats[column] = scale;
    this.#floats[column + ROWS_PER_BLOCK] = margin;
  }

  /** Several rows at once, without gaps between them. */
  fill(block: number, row: number, codes: Int8Array, scales: Float32Array, margins: Float32Array): void {
    const { dimensions, stride } = this;
    if (dimensions === stride) this.#bytes.set(codes, block + row * stride);
    else
      for (let i = 0; i < scales.length; i++)
        this.#bytes.set(codes.subarray(i * dimensions, (i + 1) * dimensions), block + (row + i) * stride);
    const column = (block + ROWS_PER_BLOCK * stride) / FLOAT + row;
    this.#floats.set(scales, column);
    this.#floats.set(margins, column + ROWS_PER_BLOCK);
  }

  /** Copies a row over another one. */
  copy(from: { block: number; row: number }, to: { block: number; row: number }): void {
    const source = from.block + from.row * this.stride;
    this.#bytes.copyWithin(to.block + to.row * this.stride, source, source + this.stride);
    const column = (from.block + ROWS_PER_BLOCK * this.stride) / FLOAT + from.row;
    this.describe(to.block, to.row, this.#floats[column]!, this.#floats[column + ROWS_PER_BLOCK]!);
  }

  /** Puts the query where the scan finds it. */
  ask({ codes }: QuantizedQuery): void {
    new Int16Array(this.#memory.buffer, 0, this.dimensions).set(codes);
  }

  /** Works out what the cosines of a block with the query are at most, for the first `rows` rows, and adds that. */
  score(block: number, rows: number, { factor, slack }: QuantizedQuery, into: ScoreRanking): void {
    const scales = block + ROWS_PER_BLOCK * this.stride;
    const scores = scales + 2 * COLUMN;
    const turns = Math.ceil(rows / ROWS_PER_TURN);
    const highest = this.#highest;
    this.#scan(block, this.stride, turns, 0, scales, scales + COLUMN, scores, highest, factor, slack);
    const first = scores / FLOAT;
    // What stood in the other rows of the last turn is of no consequence, but has been scored too.
    const isWhole = rows % ROWS_PER_TURN === 0;
    into.add(first, rows, isWhole ? this.#most(highest / FLOAT, ROWS_PER_TURN) : this.#most(first, rows));
  }

  /** A ranking of scores that are in this memory; to be used before the next `take`. */
  ranking(): ScoreRanking {
    return new ScoreRanking(this.#floats);
  }

  #most(from: number, count: number): number {
    let most = Number.NEGATIVE_INFINITY;
    for (let i = from; i < from + count; i++) if (this.#floats[i]! > most) most = this.#floats[i]!;
    return most;
  }

  #grow(missing: number): void {
    const wanted = Math.ceil(Math.max(missing, this.#bytes.length * GROWTH) / WASM_PAGE);
    const most = MAX_WASM_PAGES - this.#bytes.length / WASM_PAGE;
    this.#memory.grow(Math.max(Math.ceil(missing / WASM_PAGE), Math.min(wanted, most)));
    this.#bytes = new Int8Array(this.#memory.buffer);
    this.#floats = new Float32Array(this.#memory.buffer);
  }
}

/** Memory for the rounded vectors of one model, given out in blocks, so that many small silos fit as well as one large. */
import {
  BlockLayout,
  MARGINS,
  NUMBER_BYTES,
  ROWS_PER_BLOCK,
  ROWS_PER_GROUP,
  SCALES,
  SHIFTS,
} from './block-layout.ts';
import { SHIFT } from './quantize.ts';
import { type RowKernel, rowKernel } from './row-kernel.ts';
import { canScanQuickly, preciseScan, quickScan, type ScanKernel } from './scan-kernel.ts';
import { MAX_WASM_PAGES, WASM_PAGE, type WasmMemory, wasm } from './wasm.ts';

/** Memory is asked for in doubles: what was never written to costs nothing but addresses. */
const GROWTH = 1;
/** Of the processor's cache; rows begin with one. */
const LINE = 64;

export class CodeMemory {
  readonly dimensions: number;
  readonly layout: BlockLayout;
  /** Where the query is: first with 16 bits, then with 7, and then there is room for a product with one row. */
  readonly query: { readonly precise: number; readonly quick: number; readonly product: number };
  readonly preciseScan: ScanKernel;
  /** Undefined where the processor's younger instructions are not to be had. */
  readonly quickScan: ScanKernel | undefined;
  readonly multiply: RowKernel;
  readonly #memory: WasmMemory;
  readonly #shift: number;
  readonly #free: number[] = [];
  #end: number;
  #bytes: Int8Array;
  #floats: Float32Array;
  #integers: Int32Array;

  constructor(dimensions: number, isQuick = canScanQuickly()) {
    this.dimensions = dimensions;
    this.layout = new BlockLayout(dimensions);
    const { stride } = this.layout;
    this.query = { precise: 0, quick: 2 * stride, product: 3 * stride };
    this.#shift = 3 * stride + LINE;
    this.#end = this.#shift + 2 * stride;
    this.#memory = new wasm!.Memory({ initial: Math.ceil(this.#end / WASM_PAGE), maximum: MAX_WASM_PAGES });
    this.preciseScan = preciseScan(this.#memory);
    this.quickScan = isQuick ? quickScan(this.#memory) : undefined;
    this.multiply = rowKernel(this.#memory);
    this.#bytes = new Int8Array(this.#memory.buffer);
    this.#floats = new Float32Array(this.#memory.buffer);
    this.#integers = new Int32Array(this.#memory.buffer);
    new Int16Array(this.#memory.buffer, this.#shift, dimensions).fill(SHIFT);
  }

  /** All of it, as bytes and as numbers of 32 bits; valid until the next `take`. */
  get bytes(): Int8Array {
    return this.#bytes;
  }

  get floats(): Float32Array {
    return this.#floats;
  }

  get integers(): Int32Array {
    return this.#integers;
  }

  /** The address of a block of which no row counts. Throws a RangeError when memory is used up. */
  take(): number {
    const block = this.#free.pop() ?? this.#new();
    for (let row = 0; row < ROWS_PER_BLOCK; row++) this.clear(block, row);
    return block;
  }

  give(block: number): void {
    this.#free.push(block);
  }

  /** The codes of a row, to be described once they are written; valid until the next `take`. */
  row(block: number, row: number): Int8Array {
    const start = block + this.layout.codes(row);
    return this.#bytes.subarray(start, start + this.dimensions);
  }

  describe(block: number, row: number, scale: number, margin: number): void {
    this.#note(block, row, scale, margin);
    this.#noteShifts(block, row, 1);
  }

  /** From here on its score is lower than any other. */
  clear(block: number, row: number): void {
    this.#note(block, row, 0, Number.NEGATIVE_INFINITY);
  }

  scale(block: number, row: number): number {
    return this.#floats[(block + this.layout.number(row, SCALES)) / NUMBER_BYTES]!;
  }

  margin(block: number, row: number): number {
    return this.#floats[(block + this.layout.number(row, MARGINS)) / NUMBER_BYTES]!;
  }

  /** Several rows at once, without gaps between them. */
  fill(block: number, row: number, codes: Int8Array, scales: Float32Array, margins: Float32Array): void {
    for (let done = 0; done < scales.length; ) {
      const first = row + done;
      const count = Math.min(ROWS_PER_GROUP - (first % ROWS_PER_GROUP), scales.length - done);
      this.#fillGroup(block, first, codes.subarray(done * this.dimensions, (done + count) * this.dimensions));
      for (let i = 0; i < count; i++) this.#note(block, first + i, scales[done + i]!, margins[done + i]!);
      this.#noteShifts(block, first, count);
      done += count;
    }
  }

  /** Copies a row over another one. */
  copy(from: { block: number; row: number }, to: { block: number; row: number }): void {
    this.row(to.block, to.row).set(this.row(from.block, from.row));
    this.describe(to.block, to.row, this.scale(from.block, from.row), this.margin(from.block, from.row));
  }

  /** Rows of one group. */
  #fillGroup(block: number, row: number, codes: Int8Array): void {
    const { dimensions } = this;
    if (dimensions === this.layout.stride) this.#bytes.set(codes, block + this.layout.codes(row));
    else
      for (let i = 0; i * dimensions < codes.length; i++)
        this.row(block, row + i).set(codes.subarray(i * dimensions, (i + 1) * dimensions));
  }

  #note(block: number, row: number, scale: number, margin: number): void {
    this.#floats[(block + this.layout.number(row, SCALES)) / NUMBER_BYTES] = scale;
    this.#floats[(block + this.layout.number(row, MARGINS)) / NUMBER_BYTES] = margin;
  }

  /** For rows of one group. */
  #noteShifts(block: number, row: number, count: number): void {
    if (this.quickScan === undefined) return;
    const { stride } = this.layout;
    const start = block + this.layout.codes(row);
    const shifts = block + this.layout.number(row, SHIFTS);
    this.multiply(start, start + count * stride, stride, this.#shift, shifts);
  }

  #new(): number {
    const block = this.#end;
    const missing = block + this.layout.blockBytes - this.#bytes.length;
    if (missing > 0) this.#grow(missing);
    this.#end = block + this.layout.blockBytes;
    return block;
  }

  #grow(missing: number): void {
    const wanted = Math.ceil(Math.max(missing, this.#bytes.length * GROWTH) / WASM_PAGE);
    const most = MAX_WASM_PAGES - this.#bytes.length / WASM_PAGE;
    this.#memory.grow(Math.max(Math.ceil(missing / WASM_PAGE), Math.min(wanted, most)));
    this.#bytes = new Int8Array(this.#memory.buffer);
    this.#floats = new Float32Array(this.#memory.buffer);
    this.#integers = new Int32Array(this.#memory.buffer);
  }
}

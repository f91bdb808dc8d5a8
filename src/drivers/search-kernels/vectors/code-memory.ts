/** Memory for the quantized vectors of one model, given out in blocks, so that many small partitions fit as well as one large one. */
import {
  BlockLayout,
  LINE,
  MARGINS,
  NUMBER_BYTES,
  ROWS,
  ROWS_PER_BLOCK,
  SCALES,
  SHIFTS,
} from './block-layout.ts';
import { SHIFT } from './quantize.ts';
import { type RowKernel, rowKernel } from './row-kernel.ts';
import { canScanQuickly, preciseScan, quickScan, type ScanKernel } from './scan-kernel.ts';
import { MAX_WASM_PAGES, WASM_PAGE, type WasmMemory, wasm } from './wasm.ts';

/** Memory doubles when it grows: pages that were never written to cost only addresses. */
const GROWTH = 1;

export class CodeMemory {
  readonly dimensions: number;
  readonly layout: BlockLayout;
  /** Addresses of the query with 16 bits and with 7 bits, of the working space of a scan, and of the product with a single row. */
  readonly desk: {
    readonly precise: number;
    readonly quick: number;
    readonly notes: number;
    readonly product: number;
  };
  readonly preciseScan: ScanKernel;
  /** Undefined where relaxed SIMD is not available. */
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
    const notes = Math.ceil((3 * stride) / LINE) * LINE;
    this.desk = { precise: 0, quick: 2 * stride, notes, product: notes + ROWS };
    this.#shift = notes + ROWS + LINE;
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

  /** All of the memory, as bytes and as 32-bit numbers; valid until the next `take`. */
  get bytes(): Int8Array {
    return this.#bytes;
  }

  get floats(): Float32Array {
    return this.#floats;
  }

  get integers(): Int32Array {
    return this.#integers;
  }

  /** The address of a free block, whose content is undefined. Throws a RangeError when memory is used up. */
  take(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const block = this.#end;
    const missing = block + this.layout.blockBytes - this.#bytes.length;
    if (missing > 0) this.#grow(missing);
    this.#end = block + this.layout.blockBytes;
    return block;
  }

  give(block: number): void {
    this.#free.push(block);
  }

  /** Where the codes of a row begin. */
  address(block: number, row: number): number {
    return block + ROWS + row * this.layout.stride;
  }

  /** The codes of a row, to be written and then completed with `describe`; valid until the next `take`. */
  row(block: number, row: number): Int8Array {
    const start = this.address(block, row);
    return this.#bytes.subarray(start, start + this.dimensions);
  }

  describe(block: number, row: number, scale: number, margin: number): void {
    this.#floats[at(block, SCALES) + row] = scale;
    this.#floats[at(block, MARGINS) + row] = margin;
    this.#noteShifts(block, row, 1);
  }

  scale(block: number, row: number): number {
    return this.#floats[at(block, SCALES) + row]!;
  }

  margin(block: number, row: number): number {
    return this.#floats[at(block, MARGINS) + row]!;
  }

  /** Rows from this one on are empty: they get a score below every other. */
  clearFrom(block: number, row: number): void {
    this.#floats.fill(0, at(block, SCALES) + row, at(block, SCALES) + ROWS_PER_BLOCK);
    this.#floats.fill(
      Number.NEGATIVE_INFINITY,
      at(block, MARGINS) + row,
      at(block, MARGINS) + ROWS_PER_BLOCK,
    );
  }

  /** Writes several adjacent rows at once. */
  fill(block: number, row: number, codes: Int8Array, scales: Float32Array, margins: Float32Array): void {
    const { dimensions } = this;
    if (dimensions === this.layout.stride) this.#bytes.set(codes, this.address(block, row));
    else
      for (let i = 0; i < scales.length; i++)
        this.#bytes.set(codes.subarray(i * dimensions, (i + 1) * dimensions), this.address(block, row + i));
    this.#floats.set(scales, at(block, SCALES) + row);
    this.#floats.set(margins, at(block, MARGINS) + row);
    this.#noteShifts(block, row, scales.length);
  }

  /** Overwrites a row with another one. */
  copy(from: { block: number; row: number }, to: { block: number; row: number }): void {
    const source = this.address(from.block, from.row);
    this.#bytes.copyWithin(this.address(to.block, to.row), source, source + this.dimensions);
    this.describe(to.block, to.row, this.scale(from.block, from.row), this.margin(from.block, from.row));
  }

  #noteShifts(block: number, row: number, count: number): void {
    if (this.quickScan === undefined || count === 0) return;
    const { stride } = this.layout;
    const start = this.address(block, row);
    const shifts = block + SHIFTS + row * NUMBER_BYTES;
    this.multiply(start, start + count * stride, stride, this.#shift, shifts);
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

/** Where a column of a block begins, counted in 32-bit numbers. */
const at = (block: number, column: number): number => (block + column) / NUMBER_BYTES;

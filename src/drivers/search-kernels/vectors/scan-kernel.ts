/**
 * The inner loop of the vector search: scores all rows of adjacent blocks. It reads memory strictly in the order of addresses:
 * reading four rows at a time, or numbers from elsewhere in between, doubles the time spent waiting for memory.
 */
import {
  ANSWER,
  COLUMN,
  MARGINS,
  NUMBER_BYTES,
  ROWS,
  ROWS_PER_BLOCK,
  SCALES,
  SHIFTS,
  STEP,
} from './block-layout.ts';
import { type WasmMemory, wasm } from './wasm.ts';
import {
  advance,
  type Code,
  encodeModule,
  f32x4,
  float,
  get,
  i16x8,
  i32,
  i32x4,
  integer,
  repeat,
  set,
  v128,
} from './wasm-encoder.ts';

/**
 * score = scale · factor · (codes · query) + margin · stretch + slack, for each row of `count` blocks. Scores are written into
 * the blocks, with the highest of each block. `notes` is working space for the numbers of a block, `ROWS` bytes.
 */
export type ScanKernel = (
  block: number,
  count: number,
  stride: number,
  query: number,
  notes: number,
  factor: number,
  stretch: number,
  slack: number,
) => void;

/** The read position: runs from the numbers of a block through its codes to its scores. */
const place = 0;
const [count, stride, query, notes, factor, stretch, slack] = [1, 2, 3, 4, 5, 6, 7];
const [rowEnd, piece, note, notesEnd, scores] = [8, 9, 10, 11, 12];
/** The sums of four rows, whose scores are computed together. */
const sums = [13, 14, 15, 16] as const;
const [score, highest, ones] = [17, 18, 19];
const FOUR = sums.length * NUMBER_BYTES;

/** What differs between the two ways to multiply. */
interface Multiplication {
  /** Bytes of one number of the query. */
  readonly queryBytes: number;
  /** The sum of the products of sixteen numbers, in four parts. */
  readonly sixteen: (offset: number) => Code;
  /** Turns the sums of four rows into the dot products. */
  readonly corrected: (sums: Code) => Code;
}

const eight = (offset: number): Code =>
  i32x4.dot(v128.loadBytes(get(place), offset), v128.load(get(piece), 2 * offset));

/** A query of 16 bits. */
const PRECISE: Multiplication = {
  queryBytes: 2,
  sixteen: (offset) => i32x4.add(eight(offset), eight(offset + 8)),
  corrected: (sum) => sum,
};

/** A query of 7 bits, shifted to be positive. The sum of two products of 7 and 8 bits still fits into 16 bits. */
const QUICK: Multiplication = {
  queryBytes: 1,
  sixteen: (offset) =>
    i32x4.dot(i16x8.relaxedDot(v128.load(get(place), offset), v128.load(get(piece), offset)), get(ones)),
  corrected: (sum) => i32x4.subtract(sum, v128.load(get(note), SHIFTS)),
};

/** Adds the lanes of two sums at once: (a0 + a2, b0 + b2, a1 + a3, b1 + b3). */
const half = (a: number, b: number): Code =>
  i32x4.add(v128.pick(get(a), get(b), [0, 4, 1, 5]), v128.pick(get(a), get(b), [2, 6, 3, 7]));

const multiplyRow = ({ sixteen, queryBytes }: Multiplication, sum: number): Code => [
  set(rowEnd, i32.add(get(place), get(stride))),
  set(piece, get(query)),
  set(sum, v128.zero),
  repeat(
    [
      [0, 16].map((offset) => set(sum, i32x4.add(get(sum), sixteen(offset)))),
      advance(place, STEP),
      advance(piece, queryBytes * STEP),
    ],
    i32.isLess(get(place), get(rowEnd)),
  ),
];

const scoreFour = ({ corrected }: Multiplication): Code => [
  set(sums[0], half(sums[0], sums[1])),
  set(sums[2], half(sums[2], sums[3])),
  set(
    score,
    f32x4.add(
      f32x4.multiply(
        f32x4.convert(
          corrected(
            i32x4.add(
              v128.pick(get(sums[0]), get(sums[2]), [0, 1, 4, 5]),
              v128.pick(get(sums[0]), get(sums[2]), [2, 3, 6, 7]),
            ),
          ),
        ),
        v128.load(get(note), SCALES),
      ),
      v128.load(get(note), MARGINS),
    ),
  ),
  v128.store(get(scores), get(score)),
  set(highest, f32x4.most(get(highest), get(score))),
];

/** The maximum of each lane and the lane picked for it. */
const mostOfLanes = (lanes: readonly number[]): Code =>
  set(highest, f32x4.most(get(highest), v128.pick(get(highest), get(highest), lanes)));

/** Copies the numbers of a block, multiplied as this query needs them, to the working space. */
const takeNotes: Code = [
  set(note, get(notes)),
  set(notesEnd, i32.add(get(notes), integer(COLUMN))),
  repeat(
    [
      v128.store(get(note), f32x4.multiply(v128.load(get(place), SCALES), f32x4.splat(get(factor))), SCALES),
      v128.store(
        get(note),
        f32x4.add(
          f32x4.multiply(v128.load(get(place), MARGINS), f32x4.splat(get(stretch))),
          f32x4.splat(get(slack)),
        ),
        MARGINS,
      ),
      v128.store(get(note), v128.load(get(place), SHIFTS), SHIFTS),
      advance(place, FOUR),
      advance(note, FOUR),
    ],
    i32.isLess(get(note), get(notesEnd)),
  ),
  advance(place, ROWS - COLUMN),
  set(note, get(notes)),
];

const scanBlock = (multiplication: Multiplication): Code => [
  takeNotes,
  set(scores, i32.add(get(place), i32.multiply(get(stride), integer(ROWS_PER_BLOCK)))),
  set(highest, f32x4.splat(float(Number.NEGATIVE_INFINITY))),
  repeat(
    [
      sums.map((sum) => multiplyRow(multiplication, sum)),
      scoreFour(multiplication),
      advance(note, FOUR),
      advance(scores, FOUR),
    ],
    i32.isLess(get(note), get(notesEnd)),
  ),
  mostOfLanes([2, 3, 0, 1]),
  mostOfLanes([1, 0, 3, 2]),
  v128.store(get(scores), get(highest)),
  advance(place, ANSWER),
];

function encodeScan(multiplication: Multiplication): Uint8Array<ArrayBuffer> {
  return encodeModule({
    name: 'scan',
    parameters: ['i32', 'i32', 'i32', 'i32', 'i32', 'f32', 'f32', 'f32'],
    locals: ['i32', 'i32', 'i32', 'i32', 'i32', 'v128', 'v128', 'v128', 'v128', 'v128', 'v128', 'v128'],
    body: [
      set(ones, i16x8.splat(integer(1))),
      repeat([scanBlock(multiplication), set(count, i32.subtract(get(count), integer(1)))], get(count)),
    ],
  });
}

class ScanModule {
  readonly #bytes: Uint8Array;
  #compiled: object | undefined;

  constructor(multiplication: Multiplication) {
    this.#bytes = encodeScan(multiplication);
  }

  get isValid(): boolean {
    return wasm?.validate(this.#bytes) ?? false;
  }

  on(memory: WasmMemory): ScanKernel {
    this.#compiled ??= new wasm!.Module(this.#bytes);
    return new wasm!.Instance(this.#compiled, { js: { memory } }).exports.scan as ScanKernel;
  }
}

const precise = new ScanModule(PRECISE);
const quick = new ScanModule(QUICK);

/** False on the rare machine without SIMD. */
export function canScan(): boolean {
  return precise.isValid;
}

/** False where SIMD exists without relaxed SIMD. */
export function canScanQuickly(): boolean {
  return quick.isValid;
}

export const preciseScan = (memory: WasmMemory): ScanKernel => precise.on(memory);
export const quickScan = (memory: WasmMemory): ScanKernel => quick.on(memory);

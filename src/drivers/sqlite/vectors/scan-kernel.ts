/**
 * The inner loop of the search: the query against all rows of neighbouring blocks. It takes one row after the other, in the
 * order of their addresses: with four at a time, or with numbers that lie apart from their rows, it waits for memory.
 */
import {
  BLOCK_NUMBERS,
  GROUP_NUMBERS,
  HIGHEST_BYTES,
  MARGINS,
  NUMBER_BYTES,
  ROWS_PER_BLOCK,
  SCALES,
  SHIFTS,
  STEP,
} from './block-layout.ts';
import { type WasmMemory, wasm } from './wasm.ts';
import {
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
 * score = scale · factor · (codes · query) + margin · stretch + slack, for each row of `count` blocks; they are left in the
 * blocks, with the highest of each block.
 */
export type ScanKernel = (
  block: number,
  count: number,
  stride: number,
  query: number,
  factor: number,
  stretch: number,
  slack: number,
) => void;

const [codes, count, stride, query, factor, stretch, slack] = [0, 1, 2, 3, 4, 5, 6];
const [rowEnd, piece, groupsEnd, scores] = [7, 8, 9, 10];
/** Of the four rows of a group. */
const sums = [11, 12, 13, 14] as const;
const [score, highest, ones] = [15, 16, 17];

const advance = (local: number, by: number): Code => set(local, i32.add(get(local), integer(by)));

/** What differs between the ways to multiply. */
interface Multiplication {
  /** Bytes that a number of the query takes. */
  readonly queryBytes: number;
  /** The sum of the products of sixteen numbers, in four parts. */
  readonly sixteen: (offset: number) => Code;
  /** From the sums of four rows to what they should be. */
  readonly corrected: (sums: Code) => Code;
}

const eight = (offset: number): Code =>
  i32x4.dot(v128.loadBytes(get(codes), offset), v128.load(get(piece), 2 * offset));

/** A query of 16 bits. */
const PRECISE: Multiplication = {
  queryBytes: 2,
  sixteen: (offset) => i32x4.add(eight(offset), eight(offset + 8)),
  corrected: (sum) => sum,
};

/** A query of 7 bits that was shifted to have no sign. Two products of 7 and 8 bits still fit into 16. */
const QUICK: Multiplication = {
  queryBytes: 1,
  sixteen: (offset) =>
    i32x4.dot(i16x8.relaxedDot(v128.load(get(codes), offset), v128.load(get(piece), offset)), get(ones)),
  corrected: (sum) => i32x4.subtract(sum, v128.load(get(codes), SHIFTS)),
};

/** Adds the lanes of two sums at once: (a0 + a2, b0 + b2, a1 + a3, b1 + b3). */
const half = (a: number, b: number): Code =>
  i32x4.add(v128.pick(get(a), get(b), [0, 4, 1, 5]), v128.pick(get(a), get(b), [2, 6, 3, 7]));

const multiplyRow = ({ sixteen, queryBytes }: Multiplication, sum: number): Code => [
  set(rowEnd, i32.add(get(codes), get(stride))),
  set(piece, get(query)),
  set(sum, v128.zero),
  repeat(
    [
      [0, 16].map((offset) => set(sum, i32x4.add(get(sum), sixteen(offset)))),
      advance(codes, STEP),
      advance(piece, queryBytes * STEP),
    ],
    i32.isLess(get(codes), get(rowEnd)),
  ),
];

const scoreGroup = ({ corrected }: Multiplication): Code => [
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
        f32x4.multiply(v128.load(get(codes), SCALES), f32x4.splat(get(factor))),
      ),
      f32x4.add(
        f32x4.multiply(v128.load(get(codes), MARGINS), f32x4.splat(get(stretch))),
        f32x4.splat(get(slack)),
      ),
    ),
  ),
  v128.store(get(scores), get(score)),
  set(highest, f32x4.most(get(highest), get(score))),
];

/** The greater ones of the lanes that are picked and those that are there. */
const mostOfLanes = (lanes: readonly number[]): Code =>
  set(highest, f32x4.most(get(highest), v128.pick(get(highest), get(highest), lanes)));

const scanBlock = (multiplication: Multiplication): Code => [
  set(scores, i32.add(get(codes), i32.multiply(get(stride), integer(ROWS_PER_BLOCK)))),
  advance(scores, BLOCK_NUMBERS),
  set(groupsEnd, get(scores)),
  set(highest, f32x4.splat(float(Number.NEGATIVE_INFINITY))),
  repeat(
    [
      sums.map((sum) => multiplyRow(multiplication, sum)),
      scoreGroup(multiplication),
      advance(codes, GROUP_NUMBERS),
      advance(scores, sums.length * NUMBER_BYTES),
    ],
    i32.isLess(get(codes), get(groupsEnd)),
  ),
  mostOfLanes([2, 3, 0, 1]),
  mostOfLanes([1, 0, 3, 2]),
  v128.store(get(scores), get(highest)),
  set(codes, i32.add(get(scores), integer(HIGHEST_BYTES))),
];

function encodeScan(multiplication: Multiplication): Uint8Array<ArrayBuffer> {
  return encodeModule({
    name: 'scan',
    parameters: ['i32', 'i32', 'i32', 'i32', 'f32', 'f32', 'f32'],
    locals: ['i32', 'i32', 'i32', 'i32', 'v128', 'v128', 'v128', 'v128', 'v128', 'v128', 'v128'],
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

/** False where SIMD is there, but not its younger part. */
export function canScanQuickly(): boolean {
  return quick.isValid;
}

export const preciseScan = (memory: WasmMemory): ScanKernel => precise.on(memory);
export const quickScan = (memory: WasmMemory): ScanKernel => quick.on(memory);

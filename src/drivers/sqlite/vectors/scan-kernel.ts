/** The inner loop of the search: the query against rows of bytes, four rows at a time. */
import { type WasmMemory, wasm } from './wasm.ts';
import {
  type Code,
  encodeModule,
  f32x4,
  float,
  get,
  i32,
  i32x4,
  integer,
  repeat,
  set,
  v128,
} from './wasm-encoder.ts';

/** Rows that one turn of the loop compares, so that a piece of the query is loaded once for all of them. */
export const ROWS_PER_TURN = 4;
/** Rows are padded with zeros to a multiple of this many bytes. */
export const STEP = 16;

/**
 * score[i] = scales[i] · factor · (codes[i] · query) + margins[i] + slack, for `turns` times four rows; highest[0..3] are
 * the highest of the scores whose number leaves 0, 1, 2 or 3 when divided by four.
 */
export type ScanKernel = (
  codes: number,
  stride: number,
  turns: number,
  query: number,
  scales: number,
  margins: number,
  scores: number,
  highest: number,
  factor: number,
  slack: number,
) => void;

const PARAMETERS = {
  codes: 0,
  stride: 1,
  turns: 2,
  query: 3,
  scales: 4,
  margins: 5,
  scores: 6,
  highest: 7,
  factor: 8,
  slack: 9,
} as const;
const { codes, stride, turns, query, scales, margins, scores, highest, factor, slack } = PARAMETERS;
const [row1, row2, row3, piece, end] = [10, 11, 12, 13, 14];
const sums = [15, 16, 17, 18] as const;
const [part, most] = [19, 20];

const advance = (local: number, by: number): Code => set(local, i32.add(get(local), integer(by)));

/** Eight numbers of each row, from the given offset on. */
function compareEight(offset: number): Code {
  return [
    set(part, v128.load(get(piece), 2 * offset)),
    [codes, row1, row2, row3].map((row, i) =>
      set(sums[i]!, i32x4.add(get(sums[i]!), i32x4.dot(v128.loadBytes(get(row), offset), get(part)))),
    ),
  ];
}

/** Adds the lanes of two sums at once: (a0 + a2, b0 + b2, a1 + a3, b1 + b3). */
const half = (a: number, b: number): Code =>
  i32x4.add(v128.pick(get(a), get(b), [0, 4, 1, 5]), v128.pick(get(a), get(b), [2, 6, 3, 7]));

const LOOP: Code = repeat(
  [
    set(row1, i32.add(get(codes), get(stride))),
    set(row2, i32.add(get(row1), get(stride))),
    set(row3, i32.add(get(row2), get(stride))),
    set(end, get(row1)),
    set(piece, get(query)),
    sums.map((sum) => set(sum, v128.zero)),
    repeat(
      [
        compareEight(0),
        compareEight(8),
        [codes, row1, row2, row3].map((row) => advance(row, STEP)),
        advance(piece, 2 * STEP),
      ],
      i32.isLess(get(codes), get(end)),
    ),
    set(codes, get(row3)),
    set(sums[0], half(sums[0], sums[1])),
    set(sums[2], half(sums[2], sums[3])),
    set(
      part,
      f32x4.add(
        f32x4.multiply(
          f32x4.convert(
            i32x4.add(
              v128.pick(get(sums[0]), get(sums[2]), [0, 1, 4, 5]),
              v128.pick(get(sums[0]), get(sums[2]), [2, 3, 6, 7]),
            ),
          ),
          f32x4.multiply(v128.load(get(scales)), f32x4.splat(get(factor))),
        ),
        f32x4.add(v128.load(get(margins)), f32x4.splat(get(slack))),
      ),
    ),
    v128.store(get(scores), get(part)),
    set(most, f32x4.most(get(most), get(part))),
    [scales, margins, scores].map((local) => advance(local, 4 * ROWS_PER_TURN)),
    set(turns, i32.subtract(get(turns), integer(1))),
  ],
  get(turns),
);

const BODY: Code = [
  set(most, f32x4.splat(float(Number.NEGATIVE_INFINITY))),
  LOOP,
  v128.store(get(highest), get(most)),
];

const MODULE = encodeModule({
  name: 'scan',
  parameters: ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'f32', 'f32'],
  locals: ['i32', 'i32', 'i32', 'i32', 'i32', 'v128', 'v128', 'v128', 'v128', 'v128', 'v128'],
  body: BODY,
});

let compiled: object | undefined;

/** False on the rare machine without SIMD. */
export function canScan(): boolean {
  return wasm?.validate(MODULE) ?? false;
}

export function scanKernel(memory: WasmMemory): ScanKernel {
  compiled ??= new wasm!.Module(MODULE);
  return new wasm!.Instance(compiled, { js: { memory } }).exports.scan as ScanKernel;
}

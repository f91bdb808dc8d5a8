/** The inner loop of exact cosines in WebAssembly. It adds in the same order as `dot`, so that both give the same bits. */
import { type WasmMemory, wasm } from './wasm.ts';
import { advance, type Code, encodeModule, f64, f64x2, get, i32, repeat, set, v128 } from './wasm-encoder.ts';

/** The dot product of the vectors at the addresses `a` and `b`; the first one ends at `end`. */
export type DotKernel = (a: number, end: number, b: number) => number;

/** Numbers that one iteration takes. Vectors whose length is not a multiple of it are left to JavaScript. */
export const NUMBERS_PER_TURN = 4;

const [a, end, b] = [0, 1, 2];
/** Sums over the places that are 0 and 1 modulo four, and 2 and 3 modulo four. */
const [low, high] = [3, 4];
const [left, right] = [5, 6];
const BYTES_PER_TURN = 4 * NUMBERS_PER_TURN;

const upper = (local: number): Code => v128.pick(get(local), get(local), [2, 3, 2, 3]);
const added = (sum: number, x: Code, y: Code): Code =>
  set(sum, f64x2.add(get(sum), f64x2.multiply(f64x2.promote(x), f64x2.promote(y))));

const MODULE = encodeModule({
  name: 'dot',
  parameters: ['i32', 'i32', 'i32'],
  locals: ['v128', 'v128', 'v128', 'v128'],
  result: 'f64',
  body: [
    repeat(
      [
        set(left, v128.load(get(a))),
        set(right, v128.load(get(b))),
        added(low, get(left), get(right)),
        added(high, upper(left), upper(right)),
        advance(a, BYTES_PER_TURN),
        advance(b, BYTES_PER_TURN),
      ],
      i32.isLess(get(a), get(end)),
    ),
    f64.add(
      f64.add(f64x2.lane(get(low), 0), f64x2.lane(get(low), 1)),
      f64.add(f64x2.lane(get(high), 0), f64x2.lane(get(high), 1)),
    ),
  ],
});

let compiled: object | undefined;

/** False on the rare machine without SIMD. */
export function canMultiply(): boolean {
  return wasm?.validate(MODULE) ?? false;
}

export function dotKernel(memory: WasmMemory): DotKernel {
  compiled ??= new wasm!.Module(MODULE);
  return new wasm!.Instance(compiled, { js: { memory } }).exports.dot as DotKernel;
}

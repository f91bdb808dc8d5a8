/** Multiplies single rows with a query of 16 bits: tighter than the quick scan, for the rows that are left. */
import { STEP } from './block-layout.ts';
import { type WasmMemory, wasm } from './wasm.ts';
import { advance, type Code, encodeModule, get, i32, i32x4, repeat, set, v128 } from './wasm-encoder.ts';

/** products[i] = codes of row i · query, for the rows up to `end`. */
export type RowKernel = (codes: number, end: number, stride: number, query: number, products: number) => void;

const [codes, end, stride, query, products] = [0, 1, 2, 3, 4];
const [rowEnd, piece, sum] = [5, 6, 7];
const EIGHTS = [0, 8, 16, 24];

const addEight = (offset: number): Code =>
  set(
    sum,
    i32x4.add(get(sum), i32x4.dot(v128.loadBytes(get(codes), offset), v128.load(get(piece), 2 * offset))),
  );

const MODULE = encodeModule({
  name: 'multiply',
  parameters: ['i32', 'i32', 'i32', 'i32', 'i32'],
  locals: ['i32', 'i32', 'v128'],
  body: repeat(
    [
      set(rowEnd, i32.add(get(codes), get(stride))),
      set(piece, get(query)),
      set(sum, v128.zero),
      repeat(
        [EIGHTS.map(addEight), advance(codes, STEP), advance(piece, 2 * STEP)],
        i32.isLess(get(codes), get(rowEnd)),
      ),
      set(sum, i32x4.add(get(sum), v128.pick(get(sum), get(sum), [2, 3, 0, 1]))),
      i32.store(get(products), i32.add(i32x4.lane(get(sum), 0), i32x4.lane(get(sum), 1))),
      advance(products, 4),
    ],
    i32.isLess(get(codes), get(end)),
  ),
});

let compiled: object | undefined;

export function rowKernel(memory: WasmMemory): RowKernel {
  compiled ??= new wasm!.Module(MODULE);
  return new wasm!.Instance(compiled, { js: { memory } }).exports.multiply as RowKernel;
}

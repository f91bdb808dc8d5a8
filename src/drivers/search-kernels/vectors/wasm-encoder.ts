/** Encodes one function in WebAssembly's binary format, so that kernels are written in TypeScript without a build step. */

/** Bytes, nested for readability. */
export type Code = number | readonly Code[];

export function bytesOf(code: Code): number[] {
  return typeof code === 'number' ? [code] : code.flatMap(bytesOf);
}

/** LEB128: groups of seven bits, lowest first. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const low = value & 0x7f;
  const rest = value >> 7;
  const last = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
  return last ? [low] : [low | 0x80, ...signed(rest)];
}

const list = (items: readonly Code[]): Code => [...unsigned(items.length), items];
const sized = (code: Code): Code => {
  const bytes = bytesOf(code);
  return [...unsigned(bytes.length), bytes];
};
const text = (value: string): Code => list([...Buffer.from(value)]);
const section = (id: number, items: readonly Code[]): Code => [id, sized(list(items))];

export const TYPES = { i32: 0x7f, f32: 0x7d, f64: 0x7c, v128: 0x7b } as const;
export type Type = keyof typeof TYPES;

export interface FunctionSource {
  readonly name: string;
  readonly parameters: readonly Type[];
  readonly locals: readonly Type[];
  readonly result?: Type;
  readonly body: Code;
}

/** A module with one exported function, which works on the memory that is imported as `js.memory`. */
export function encodeModule(source: FunctionSource): Uint8Array<ArrayBuffer> {
  const { name, parameters, locals, result, body } = source;
  const FUNCTION = 0x60;
  const MEMORY = 0x02;
  return Uint8Array.from(
    bytesOf([
      [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
      section(1, [
        [
          FUNCTION,
          list(parameters.map((type) => TYPES[type])),
          list(result === undefined ? [] : [TYPES[result]]),
        ],
      ]),
      section(2, [[text('js'), text('memory'), MEMORY, 0x00, unsigned(1)]]),
      section(3, [0]),
      section(7, [[text(name), 0x00, 0]]),
      section(10, [sized([list(locals.map((type) => [1, TYPES[type]])), body, 0x0b])]),
    ]),
  );
}

/** An instruction with the SIMD prefix. */
const simd = (opcode: number, ...rest: readonly Code[]): Code => [0xfd, unsigned(opcode), ...rest];
const address = (align: number, offset: number): Code => [unsigned(align), unsigned(offset)];

export const get = (local: number): Code => [0x20, unsigned(local)];
export const set = (local: number, value: Code): Code => [value, 0x21, unsigned(local)];
export const integer = (value: number): Code => [0x41, signed(value)];

export const float = (value: number): Code => [0x43, [...new Uint8Array(Float32Array.of(value).buffer)]];

export const i32 = {
  add: (a: Code, b: Code): Code => [a, b, 0x6a],
  subtract: (a: Code, b: Code): Code => [a, b, 0x6b],
  multiply: (a: Code, b: Code): Code => [a, b, 0x6c],
  isLess: (a: Code, b: Code): Code => [a, b, 0x49],
  store: (to: Code, value: Code): Code => [to, value, 0x36, address(2, 0)],
} as const;

/** Adds to a local. */
export const advance = (local: number, by: number): Code => set(local, i32.add(get(local), integer(by)));

/** Repeats its body while the condition at the end holds. */
export const repeat = (body: Code, condition: Code): Code => [0x03, 0x40, body, condition, 0x0d, 0, 0x0b];

export const v128 = {
  load: (from: Code, offset = 0): Code => [from, simd(0x00, address(2, offset))],
  /** Eight signed bytes, widened to eight 16-bit numbers. */
  loadBytes: (from: Code, offset = 0): Code => [from, simd(0x01, address(0, offset))],
  store: (to: Code, value: Code, offset = 0): Code => [to, value, simd(0x0b, address(2, offset))],
  zero: simd(0x0c, new Array<number>(16).fill(0)),
  /** Four 32-bit numbers, picked from two vectors: 0 to 3 from the first, 4 to 7 from the second. */
  pick: (a: Code, b: Code, lanes: readonly number[]): Code => [
    a,
    b,
    simd(
      0x0d,
      lanes.flatMap((lane) => [0, 1, 2, 3].map((byte) => 4 * lane + byte)),
    ),
  ],
} as const;

export const i16x8 = {
  splat: (value: Code): Code => [value, simd(0x10)],
  /**
   * Products of sixteen pairs of bytes, adjacent products added. The bytes of `b` must be 0 to 127, or the result depends on
   * the processor. Part of relaxed SIMD, which fewer engines have than SIMD.
   */
  relaxedDot: (a: Code, b: Code): Code => [a, b, simd(0x112)],
} as const;

export const i32x4 = {
  add: (a: Code, b: Code): Code => [a, b, simd(0xae)],
  subtract: (a: Code, b: Code): Code => [a, b, simd(0xb1)],
  /** Products of eight pairs of 16-bit numbers, adjacent products added. */
  dot: (a: Code, b: Code): Code => [a, b, simd(0xba)],
  lane: (vector: Code, lane: number): Code => [vector, simd(0x1b, lane)],
} as const;

export const f32x4 = {
  splat: (value: Code): Code => [value, simd(0x13)],
  convert: (integers: Code): Code => [integers, simd(0xfa)],
  add: (a: Code, b: Code): Code => [a, b, simd(0xe4)],
  multiply: (a: Code, b: Code): Code => [a, b, simd(0xe6)],
  /** The greater one, lane by lane. */
  most: (a: Code, b: Code): Code => [a, b, simd(0xeb)],
} as const;

export const f64x2 = {
  /** The first two 32-bit numbers, in double precision. */
  promote: (floats: Code): Code => [floats, simd(0x5f)],
  add: (a: Code, b: Code): Code => [a, b, simd(0xf0)],
  multiply: (a: Code, b: Code): Code => [a, b, simd(0xf2)],
  lane: (vector: Code, lane: number): Code => [vector, simd(0x21, lane)],
} as const;

export const f64 = { add: (a: Code, b: Code): Code => [a, b, 0xa0] } as const;

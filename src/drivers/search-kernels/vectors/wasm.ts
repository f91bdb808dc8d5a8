/** Types of the part of WebAssembly that is used here; TypeScript ships them only with the types of browsers. */

export interface WasmMemory {
  /** Replaced by another one whenever the memory grows. */
  readonly buffer: ArrayBuffer;
  /** Throws a RangeError when there is no more memory. */
  grow(pages: number): number;
}

interface Wasm {
  validate(bytes: Uint8Array): boolean;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (limits: { initial: number; maximum: number }) => WasmMemory;
  readonly Instance: new (
    module: object,
    imports: { js: { memory: WasmMemory } },
  ) => { readonly exports: Readonly<Record<string, unknown>> };
}

/** Undefined where WebAssembly was switched off. */
export const wasm = (globalThis as { WebAssembly?: Wasm }).WebAssembly;
export const WASM_PAGE = 65_536;
/** All that 32-bit addresses can reach. */
export const MAX_WASM_PAGES = 65_536;

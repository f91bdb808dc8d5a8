/** The part of WebAssembly that is used here; its types come with browsers only, and no module of Node has them. */

export interface WasmMemory {
  /** Another one after every growth. */
  readonly buffer: ArrayBuffer;
  /** Throws a RangeError when there is no more. */
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

/** Undefined where it was switched off. */
export const wasm = (globalThis as { WebAssembly?: Wasm }).WebAssembly;
export const WASM_PAGE = 65_536;
/** All that addresses of 32 bits can reach. */
export const MAX_WASM_PAGES = 65_536;

/** Reads rows of the table on demand: one query needs about ten of 30,000. */
import { closeSync, readSync } from 'node:fs';
import { KeepsakeError } from '../../kernel/errors.ts';

/** So many are read one by one; then all that are left, in one go. */
const SINGLE_READS = 256;

export class TableRows {
  /** Row after row of `dimensions` small numbers; zeros where `need` has not been. Memory that was never touched costs nothing. */
  readonly values: Int8Array;
  readonly #dimensions: number;
  readonly #isHere: Uint8Array;
  readonly #unreadable: (cause: unknown) => KeepsakeError;
  /** It stays open, so that all rows are of the same file although another one may take its place. */
  #file: number | undefined;
  #left = SINGLE_READS;
  #isWhole = false;

  /** The file is closed with the rows, or when all of it is read. */
  constructor(file: number, rows: number, dimensions: number, unreadable: (cause: unknown) => KeepsakeError) {
    this.#file = file;
    this.#dimensions = dimensions;
    this.#unreadable = unreadable;
    this.#isHere = new Uint8Array(rows);
    this.values = new Int8Array(rows * dimensions);
  }

  need(rows: readonly number[]): void {
    if (this.#isWhole) return;
    for (const row of rows) {
      if (this.#isHere[row] === 1) continue;
      if (this.#left-- === 0) {
        this.#readAll();
        return;
      }
      this.#read(row * this.#dimensions, this.#dimensions);
      this.#isHere[row] = 1;
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #readAll(): void {
    this.#read(0, this.values.length);
    this.#isWhole = true;
    this.close();
  }

  #read(start: number, length: number): void {
    if (this.#file === undefined) throw new KeepsakeError('CLOSED', 'The static embedding model was closed.');
    try {
      for (let at = start; at < start + length; ) {
        const read = readSync(this.#file, this.values, at, start + length - at, at);
        if (read === 0) throw new Error('The file ends too early.');
        at += read;
      }
    } catch (cause) {
      throw this.#unreadable(cause);
    }
  }
}

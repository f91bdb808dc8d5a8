/**
 * How quantized vectors are laid out in memory: blocks of 64 rows. A block holds first the numbers about each row, then the
 * rows, then room for the scores, so that a scan reads and writes a block, and block after block, in the order of addresses.
 */

export const ROWS_PER_BLOCK = 64;
/** Rows are padded with zeros to a multiple of this many bytes. */
export const STEP = 32;
export const NUMBER_BYTES = 4;
/** Bytes of a cache line of the processor; blocks and rows begin with one. */
export const LINE = 64;
/** Bytes of one number for each row. */
export const COLUMN = ROWS_PER_BLOCK * NUMBER_BYTES;

/** Where the columns of a block begin. */
export const SCALES = 0;
export const MARGINS = SCALES + COLUMN;
/** The dot product of a row with a query that is `SHIFT` in every dimension: what the quick scan subtracts again. */
export const SHIFTS = MARGINS + COLUMN;
export const ROWS = SHIFTS + COLUMN;
/** After the rows: a column of scores, and the highest of them (the block maximum). */
export const ANSWER = COLUMN + LINE;

export class BlockLayout {
  /** Bytes from one row to the next. */
  readonly stride: number;
  readonly scores: number;
  readonly highest: number;
  readonly blockBytes: number;

  constructor(dimensions: number) {
    this.stride = Math.ceil(dimensions / STEP) * STEP;
    this.scores = ROWS + ROWS_PER_BLOCK * this.stride;
    this.highest = this.scores + COLUMN;
    this.blockBytes = this.scores + ANSWER;
  }
}

/**
 * How the rounded vectors lie in memory: blocks of 64 rows. First comes what is to be known of each row, then the rows, then
 * what a scan answers, so that it can go through a block, and from block to block, in the order of the addresses.
 */

export const ROWS_PER_BLOCK = 64;
/** Rows are padded with zeros to a multiple of this many bytes. */
export const STEP = 32;
export const NUMBER_BYTES = 4;
/** Of the processor's cache; blocks and rows begin with one. */
export const LINE = 64;
/** One number for each row. */
export const COLUMN = ROWS_PER_BLOCK * NUMBER_BYTES;

/** Where the columns begin. */
export const SCALES = 0;
export const MARGINS = SCALES + COLUMN;
/** What a row gives for a query that is `SHIFT` everywhere, as whole numbers. */
export const SHIFTS = MARGINS + COLUMN;
export const ROWS = SHIFTS + COLUMN;
/** After the rows: a column of scores, and the highest of them. */
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

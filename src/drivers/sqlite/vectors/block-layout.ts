/**
 * How the rounded vectors lie in memory: blocks of 64 rows, four rows and then what is to be known of these four, so that
 * a scan goes through it from the first byte to the last. What it answers comes at the end of the block.
 */

export const ROWS_PER_BLOCK = 64;
export const ROWS_PER_GROUP = 4;
/** Rows are padded with zeros to a multiple of this many bytes. */
export const STEP = 32;
export const NUMBER_BYTES = 4;

/** One number for each row of a group. */
const FOUR = ROWS_PER_GROUP * NUMBER_BYTES;
/** Where these are, counted from the end of the rows of a group. */
export const SCALES = 0;
export const MARGINS = FOUR;
/** What a row gives for a query that is `SHIFT` everywhere, as whole numbers. */
export const SHIFTS = 2 * FOUR;
export const GROUP_NUMBERS = 3 * FOUR;
/** All that the groups of a block have besides the codes. */
export const BLOCK_NUMBERS = (ROWS_PER_BLOCK / ROWS_PER_GROUP) * GROUP_NUMBERS;
/** The scores, and after them the highest of these. */
export const SCORES_BYTES = ROWS_PER_BLOCK * NUMBER_BYTES;
export const HIGHEST_BYTES = 16;

export class BlockLayout {
  /** Bytes from one row to the next. */
  readonly stride: number;
  readonly groupBytes: number;
  /** Where the scores begin in a block, and where the highest is. */
  readonly scores: number;
  readonly highest: number;
  readonly blockBytes: number;

  constructor(dimensions: number) {
    this.stride = Math.ceil(dimensions / STEP) * STEP;
    this.groupBytes = ROWS_PER_GROUP * this.stride + GROUP_NUMBERS;
    this.scores = ROWS_PER_BLOCK * this.stride + BLOCK_NUMBERS;
    this.highest = this.scores + SCORES_BYTES;
    this.blockBytes = this.highest + HIGHEST_BYTES;
  }

  /** Where the codes of a row begin in its block. */
  codes(row: number): number {
    const inGroup = row % ROWS_PER_GROUP;
    return ((row - inGroup) / ROWS_PER_GROUP) * this.groupBytes + inGroup * this.stride;
  }

  /** Where one of its numbers is. */
  number(row: number, which: number): number {
    const inGroup = row % ROWS_PER_GROUP;
    const groupEnd = ((row - inGroup) / ROWS_PER_GROUP + 1) * this.groupBytes;
    return groupEnd - GROUP_NUMBERS + which + inGroup * NUMBER_BYTES;
  }
}

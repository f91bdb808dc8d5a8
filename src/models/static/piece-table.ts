/** The pieces of a vocabulary by their letters, found inside a word without cutting it up. */
import {
  FIRST_SEED,
  indexPieces,
  isContinuation,
  LATER_SEED,
  MARK,
  type PieceIndex,
  spread,
  step,
} from './piece-index.ts';

export class PieceTable {
  /** How many pieces there are. */
  readonly size: number;
  readonly #text: string;
  readonly #starts: Int32Array;
  /** The letters of pieces that were met; cutting them all takes longer than most processes live. */
  readonly #letters: (string | undefined)[] = [];
  readonly #slots: Int32Array;
  readonly #hashes: Int32Array;
  readonly #mask: number;
  /** Hashes of all beginnings of the word that is being cut. */
  readonly #beginnings: Int32Array;
  readonly #longest: number;

  /** A piece on each line; row `n` belongs to line `n`. */
  constructor(text: string, { starts, hashes, slots, longest }: PieceIndex = indexPieces(text)) {
    this.size = hashes.length;
    this.#text = text;
    this.#starts = starts;
    this.#hashes = hashes;
    this.#slots = slots;
    this.#mask = slots.length - 1;
    this.#longest = longest;
    this.#beginnings = new Int32Array(longest + 1);
  }

  /** Adds the rows of the longest piece that fits, of the longest that continues it, and so on; none if a part is unknown. */
  split(word: string, rows: number[]): void {
    const before = rows.length;
    for (let start = 0; start < word.length; ) {
      const row = this.#longestAt(word, start);
      if (row === -1) {
        rows.length = before;
        return;
      }
      rows.push(row);
      start += this.#lettersOf(row).length;
    }
  }

  #longestAt(word: string, start: number): number {
    const most = Math.min(word.length - start, this.#longest);
    let hash = start === 0 ? FIRST_SEED : LATER_SEED;
    for (let length = 1; length <= most; length++) {
      hash = step(hash, word.charCodeAt(start + length - 1));
      this.#beginnings[length] = hash;
    }
    for (let length = most; length > 0; length--) {
      const row = this.#find(this.#beginnings[length]!, word, start, length);
      if (row !== -1) return row;
    }
    return -1;
  }

  #find(hash: number, word: string, start: number, length: number): number {
    for (let at = spread(hash) & this.#mask; ; at = (at + 1) & this.#mask) {
      const row = this.#slots[at]! - 1;
      if (row === -1) return -1;
      if (this.#hashes[row] !== hash) continue;
      // Equal hashes mean equal letters but by accident; a word may be made to have one.
      const letters = this.#lettersOf(row);
      const isSameKind = isContinuation(this.#text, this.#starts[row]!) === start > 0;
      if (isSameKind && letters.length === length && word.startsWith(letters, start)) return row;
    }
  }

  #lettersOf(row: number): string {
    const known = this.#letters[row];
    if (known !== undefined) return known;
    const start = this.#starts[row]!;
    const from = isContinuation(this.#text, start) ? start + MARK.length : start;
    const letters = this.#text.slice(from, this.#starts[row + 1]! - 1);
    this.#letters[row] = letters;
    return letters;
  }
}

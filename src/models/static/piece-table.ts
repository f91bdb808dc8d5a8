/** The pieces of a vocabulary by their letters, found inside a word without cutting it up. */

/** Before a piece that continues a word. */
const MARK = '##';
const HASH_SIGN = 35;
/** Pieces that continue a word and pieces that begin one may have the same letters. */
const FIRST_SEED = 0x811c9dc5 | 0;
const LATER_SEED = 0x01000193;

const step = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);
/** The low bits of such a hash depend on the last letters most. */
const spread = (hash: number): number => hash ^ (hash >>> 15);

function isContinuation(piece: string): boolean {
  return piece.length > MARK.length && piece.charCodeAt(0) === HASH_SIGN && piece.charCodeAt(1) === HASH_SIGN;
}

export class PieceTable {
  readonly #pieces: readonly string[];
  /** The letters of pieces that were met; cutting them all takes longer than most processes live. */
  readonly #letters: (string | undefined)[];
  /** Row numbers plus one, by hash; a piece whose place is taken stands in the next free one. */
  readonly #slots: Int32Array;
  readonly #hashes: Int32Array;
  readonly #mask: number;
  /** Hashes of all beginnings of the word that is being cut. */
  readonly #beginnings: Int32Array;
  readonly #longest: number;

  /** Row `n` belongs to piece `n`. */
  constructor(pieces: readonly string[]) {
    const size = 2 ** Math.ceil(Math.log2(2 * pieces.length + 2));
    this.#pieces = pieces;
    this.#letters = new Array<string | undefined>(pieces.length);
    this.#mask = size - 1;
    this.#slots = new Int32Array(size);
    this.#hashes = new Int32Array(size);
    this.#longest = fill(pieces, this.#slots, this.#hashes);
    this.#beginnings = new Int32Array(this.#longest + 1);
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
      if (this.#hashes[at] !== hash) continue;
      // Equal hashes mean equal letters but by accident; a word may be made to have one.
      const letters = this.#lettersOf(row);
      const isSameKind = isContinuation(this.#pieces[row]!) === start > 0;
      if (isSameKind && letters.length === length && word.startsWith(letters, start)) return row;
    }
  }

  #lettersOf(row: number): string {
    const known = this.#letters[row];
    if (known !== undefined) return known;
    const piece = this.#pieces[row]!;
    const letters = isContinuation(piece) ? piece.slice(MARK.length) : piece;
    this.#letters[row] = letters;
    return letters;
  }
}

/** Plain loops, because this runs once in every process, before any of it was compiled. Answers with the longest length. */
function fill(pieces: readonly string[], slots: Int32Array, hashes: Int32Array): number {
  const mask = slots.length - 1;
  let longest = 0;
  for (let row = 0; row < pieces.length; row++) {
    const piece = pieces[row]!;
    const continues = isContinuation(piece);
    let hash = continues ? LATER_SEED : FIRST_SEED;
    for (let i = continues ? MARK.length : 0; i < piece.length; i++) hash = step(hash, piece.charCodeAt(i));
    let at = spread(hash) & mask;
    while (slots[at] !== 0) at = (at + 1) & mask;
    slots[at] = row + 1;
    hashes[at] = hash;
    longest = Math.max(longest, piece.length - (continues ? MARK.length : 0));
  }
  return longest;
}

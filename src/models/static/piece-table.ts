/** The pieces of a vocabulary by their letters, found inside a word without cutting it up. */

const CONTINUATION = '##';
/** Pieces that continue a word and pieces that begin one may have the same letters. */
const SEEDS = [0x811c9dc5, 0x01000193] as const;

const step = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);
/** The low bits of such a hash depend on the last letters most. */
const spread = (hash: number): number => hash ^ (hash >>> 15);

export class PieceTable {
  readonly #texts: string[] = [];
  /** Row numbers plus one, by hash; a piece whose place is taken stands in the next free one. */
  readonly #slots: Int32Array;
  readonly #hashes: Int32Array;
  readonly #mask: number;
  /** Hashes of all beginnings of the word that is being cut. */
  readonly #beginnings: Int32Array;
  readonly #longest: number;

  /** Row `n` belongs to piece `n`; a piece that continues a word begins with `##`. */
  constructor(pieces: readonly string[]) {
    const size = 2 ** Math.ceil(Math.log2(2 * pieces.length + 2));
    this.#mask = size - 1;
    this.#slots = new Int32Array(size);
    this.#hashes = new Int32Array(size);
    let longest = 0;
    for (const [row, piece] of pieces.entries()) {
      const continues = piece.length > CONTINUATION.length && piece.startsWith(CONTINUATION);
      const text = continues ? piece.slice(CONTINUATION.length) : piece;
      this.#texts.push(text);
      if (text.length > longest) longest = text.length;
      this.#add(row, text, continues ? 1 : 0);
    }
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
      start += this.#texts[row]!.length;
    }
  }

  #longestAt(word: string, start: number): number {
    const most = Math.min(word.length - start, this.#longest);
    let hash: number = SEEDS[start === 0 ? 0 : 1];
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
      // Equal hashes mean equal letters but by accident; a word may be made to have one.
      if (this.#hashes[at] === hash && this.#texts[row]!.length === length) {
        if (word.startsWith(this.#texts[row]!, start)) return row;
      }
    }
  }

  #add(row: number, text: string, kind: 0 | 1): void {
    let hash: number = SEEDS[kind];
    for (let i = 0; i < text.length; i++) hash = step(hash, text.charCodeAt(i));
    let at = spread(hash) & this.#mask;
    while (this.#slots[at] !== 0) at = (at + 1) & this.#mask;
    this.#slots[at] = row + 1;
    this.#hashes[at] = hash;
  }
}

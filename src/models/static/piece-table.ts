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

const LINE_END = 10;

/** Whether the piece that begins here, and has more than the mark, continues a word. */
function isContinuation(text: string, start: number): boolean {
  if (text.charCodeAt(start) !== HASH_SIGN || text.charCodeAt(start + 1) !== HASH_SIGN) return false;
  const next = start + MARK.length;
  return next < text.length && text.charCodeAt(next) !== LINE_END;
}

export class PieceTable {
  /** How many pieces there are. */
  readonly size: number;
  readonly #text: string;
  /** Where each piece begins in the text; a last one stands for its end. */
  readonly #starts: Int32Array;
  /** The letters of pieces that were met; cutting them all takes longer than most processes live. */
  readonly #letters: (string | undefined)[];
  /** Row numbers plus one, by hash; a piece whose place is taken stands in the next free one. */
  readonly #slots: Int32Array;
  readonly #hashes: Int32Array;
  readonly #mask: number;
  /** Hashes of all beginnings of the word that is being cut. */
  readonly #beginnings: Int32Array;
  readonly #longest: number;

  /** A piece on each line; row `n` belongs to line `n`. */
  constructor(text: string) {
    const { starts, hashes, count, longest } = readPieces(text);
    const places = 2 ** Math.ceil(Math.log2(2 * count + 2));
    this.size = count;
    this.#text = text;
    this.#starts = starts;
    this.#letters = [];
    this.#mask = places - 1;
    this.#slots = new Int32Array(places);
    this.#hashes = new Int32Array(places);
    fill(hashes, count, this.#slots, this.#hashes);
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
      if (this.#hashes[at] !== hash) continue;
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

interface Pieces {
  readonly starts: Int32Array;
  readonly hashes: Int32Array;
  readonly count: number;
  readonly longest: number;
}

/**
 * Plain loops over one text, because this runs once in every process, before any of it was compiled: to cut the text into pieces
 * first would take as long again, most of it to clear away what was cut.
 */
function readPieces(text: string): Pieces {
  // Room for the worst, of which no page is touched that is not needed.
  const [starts, hashes] = [new Int32Array(text.length + 2), new Int32Array(text.length + 1)];
  let count = 0;
  let longest = 0;
  for (let at = 0; at <= text.length; at++) {
    const start = at;
    const continues = isContinuation(text, start);
    if (continues) at += MARK.length;
    const first = at;
    let hash = continues ? LATER_SEED : FIRST_SEED;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === LINE_END) break;
      hash = step(hash, code);
    }
    starts[count] = start;
    hashes[count] = hash;
    count++;
    if (at - first > longest) longest = at - first;
  }
  starts[count] = text.length + 1;
  return { starts, hashes, count, longest };
}

function fill(found: Int32Array, count: number, slots: Int32Array, hashes: Int32Array): void {
  const mask = slots.length - 1;
  for (let row = 0; row < count; row++) {
    const hash = found[row]!;
    let at = spread(hash) & mask;
    while (slots[at] !== 0) at = (at + 1) & mask;
    slots[at] = row + 1;
    hashes[at] = hash;
  }
}

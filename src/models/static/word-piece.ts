/** WordPiece for the uncased BERT vocabulary: a text becomes the row numbers of its pieces. */

/** Of a longer text only the first part is read; prose reaches `MAX_PIECES` after a third of it. */
export const MAX_CHARACTERS = 32_768;
export const MAX_PIECES = 2_048;
/** Longer words are hashes, keys or attacks: they carry no meaning and would cost time. */
export const MAX_WORD = 64;
/** Distinct rare words whose pieces are remembered: some 2 MB when full, then it starts anew. */
const CACHE_SIZE = 20_000;

const CONTINUATION = '##';
const NONE: readonly number[] = [];

const BLANK = 0;
const LETTER = 1;
const SINGLE = 2;

/** What each ASCII character is: part of a word, a word of its own (punctuation), or neither. */
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  if (/[0-9A-Za-z]/.test(String.fromCharCode(code))) return LETTER;
  return code > 0x20 && code < 0x7f ? SINGLE : BLANK;
});

const NOT_PLAIN = /[^\t\n\r\x20-\x7e]/;
const MARKS = /\p{Mn}+/gu;
/** Control and format characters and lone surrogates vanish; tabs and line breaks stay, as blanks. */
const INVISIBLE = /(?:(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\ufffd])+/gu;
const BLANKS = /\p{Z}+/gu;
/** Ideographs, punctuation, symbols and emoji are words of their own; kana and Hangul are joined to words. */
const SINGLES = /[\p{Unified_Ideograph}\p{P}\p{S}]/gu;

/** Lower case without accents, with a blank on both sides of every character that is a word of its own. */
function prepare(text: string): string {
  if (!NOT_PLAIN.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(MARKS, '')
    .replace(INVISIBLE, '')
    .replace(BLANKS, ' ')
    .replace(SINGLES, ' $& ');
}

export class WordPiece {
  readonly #starts = new Map<string, number>();
  readonly #continuations = new Map<string, number>();
  readonly #cache = new Map<string, readonly number[]>();
  #longest = 0;

  /** Row `n` of the table belongs to piece `n`; a piece that continues a word begins with `##`. */
  constructor(pieces: readonly string[]) {
    for (const [row, piece] of pieces.entries()) {
      const continues = piece.length > CONTINUATION.length && piece.startsWith(CONTINUATION);
      const text = continues ? piece.slice(CONTINUATION.length) : piece;
      (continues ? this.#continuations : this.#starts).set(text, row);
      if (text.length > this.#longest) this.#longest = text.length;
    }
  }

  /** The rows of the first `MAX_PIECES` pieces; a word with an unknown part is left out, as BERT does. */
  rows(text: string): number[] {
    const rows: number[] = [];
    const prepared = prepare(text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) : text);
    const { length } = prepared;
    let start = 0;
    for (let at = 0; at <= length && rows.length < MAX_PIECES; at += 1) {
      const code = at < length ? prepared.charCodeAt(at) : 0x20;
      const kind = code < 128 ? ASCII[code]! : LETTER;
      if (kind === LETTER) continue;
      if (at > start) this.#addWord(prepared.slice(start, at), rows);
      if (kind === SINGLE) this.#addWord(prepared.charAt(at), rows);
      start = at + 1;
    }
    if (rows.length > MAX_PIECES) rows.length = MAX_PIECES;
    return rows;
  }

  #addWord(word: string, rows: number[]): void {
    if (word.length > MAX_WORD) return;
    const whole = this.#starts.get(word);
    if (whole !== undefined) {
      rows.push(whole);
      return;
    }
    let pieces = this.#cache.get(word);
    if (pieces === undefined) {
      pieces = this.#split(word);
      if (this.#cache.size >= CACHE_SIZE) this.#cache.clear();
      this.#cache.set(word, pieces);
    }
    for (const row of pieces) rows.push(row);
  }

  /** The longest piece that fits, then the longest that continues it, and so on. */
  #split(word: string): readonly number[] {
    const rows: number[] = [];
    for (let start = 0; start < word.length; ) {
      const known = start === 0 ? this.#starts : this.#continuations;
      let end = Math.min(word.length, start + this.#longest);
      let row: number | undefined;
      for (; end > start; end -= 1) {
        row = known.get(word.slice(start, end));
        if (row !== undefined) break;
      }
      if (row === undefined) return NONE;
      rows.push(row);
      start = end;
    }
    return rows;
  }
}

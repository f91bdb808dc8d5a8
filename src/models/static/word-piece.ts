/** WordPiece for the uncased BERT vocabulary: a text becomes the row numbers of its pieces. */
import type { PieceTable } from './piece-table.ts';

/** Of a longer text only the first part is read; prose reaches `MAX_PIECES` after a third of it. */
export const MAX_CHARACTERS = 32_768;
export const MAX_PIECES = 2_048;
/** Longer words are hashes, keys or attacks: they carry no meaning and would cost time. */
export const MAX_WORD = 64;

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

/**
 * The vocabulary knows other scripts by their letters only. A sum of letters tells the script and not the meaning, so that all Russian
 * texts would mean the same; without a vector they are found by their words.
 */
const OTHER_SCRIPT = /(?![\p{Script=Latin}\p{Unified_Ideograph}])[\p{L}\p{M}]/u;
const WORDS = /(?:(?!\p{Unified_Ideograph})[\p{L}\p{M}\p{N}])+/gu;
const NAMED = /[\p{L}\p{N}]/u;
/** A letter that stands alone is a symbol, as in formulas. */
const SYMBOL = /^\p{Script=Greek}$/u;

/** Lower case without accents, with a blank on both sides of every character that is a word of its own. */
function prepare(text: string): string {
  if (!NOT_PLAIN.test(text)) return text.toLowerCase();
  const folded = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(MARKS, '')
    .replace(INVISIBLE, '')
    .replace(BLANKS, ' ');
  return withoutOtherScripts(folded).replace(SINGLES, ' $& ');
}

function withoutOtherScripts(text: string): string {
  if (!OTHER_SCRIPT.test(text)) return text;
  return text.replace(WORDS, (word) => (OTHER_SCRIPT.test(word) && !SYMBOL.test(word) ? ' ' : word));
}

export class WordPiece {
  readonly #pieces: PieceTable;

  /** Row `n` of the table belongs to piece `n`; a piece that continues a word begins with `##`. */
  constructor(pieces: PieceTable) {
    this.#pieces = pieces;
  }

  /**
   * The rows of the first `MAX_PIECES` pieces; a word with an unknown part is left out, as BERT does. None where only marks are left: a
   * question mark by itself is close to every other one.
   */
  rows(text: string): number[] {
    const rows: number[] = [];
    const prepared = prepare(text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) : text);
    const { length } = prepared;
    let start = 0;
    let hasWord = false;
    for (let at = 0; at <= length && rows.length < MAX_PIECES; at += 1) {
      const code = at < length ? prepared.charCodeAt(at) : 0x20;
      const kind = code < 128 ? ASCII[code]! : LETTER;
      if (kind === LETTER) continue;
      if (at > start) hasWord = this.#addWord(prepared.slice(start, at), rows) || hasWord;
      if (kind === SINGLE) this.#addWord(prepared.charAt(at), rows);
      start = at + 1;
    }
    if (!hasWord) return [];
    if (rows.length > MAX_PIECES) rows.length = MAX_PIECES;
    return rows;
  }

  /** Whether it was a word, and a known one; a mark is none. */
  #addWord(word: string, rows: number[]): boolean {
    if (word.length > MAX_WORD) return false;
    const before = rows.length;
    this.#pieces.split(word, rows);
    return rows.length > before && (ASCII[word.charCodeAt(0)] === LETTER || NAMED.test(word));
  }
}

/** WordPiece as BERT's uncased models were trained with it, so that a text becomes exactly the pieces they know. */

/** The model sees no more than 512 pieces; a longer text than this holds more of them whatever it says. */
const MAX_CHARACTERS = 32_768;
/** In characters; the reference implementation gives up on a longer word. */
const MAX_WORD = 100;
const CONTINUATION = '##';

const INVISIBLE = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cn}\p{Co}\ufffd]+/gu;
const MARKS = /\p{Mn}+/gu;
/** The blocks that the reference names: ideographs, but neither kana nor Hangul. */
const IDEOGRAPHS =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b820}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;
/** ASCII counts its symbols as punctuation, such as `$` and `+`; beyond it only real punctuation does. */
const PUNCTUATION = /[!-/:-@[-`{-~\p{P}]/gu;

export interface WordPiece {
  /** The number that represents every word that is not known. */
  readonly unknown: number;
  /** Numbers of the pieces, between the marks of beginning and end, at most `limit` in all. */
  encode(text: string, limit: number): number[];
}

function wordsOf(text: string): string[] {
  return text
    .slice(0, MAX_CHARACTERS)
    .toWellFormed()
    .replace(INVISIBLE, '')
    .replace(IDEOGRAPHS, ' $& ')
    .normalize('NFD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(PUNCTUATION, ' $& ')
    .split(/\s+/u)
    .filter((word) => word !== '');
}

/** `vocabulary`: each piece with its number, as tokenizer.json has it. */
export function createWordPiece(vocabulary: Readonly<Record<string, number>>): WordPiece {
  const numbers = new Map(Object.entries(vocabulary));
  const special = (name: string): number => {
    const number = numbers.get(name);
    if (number === undefined) throw new Error(`the vocabulary has no ${name}`);
    return number;
  };
  const unknown = special('[UNK]');
  const begin = special('[CLS]');
  const end = special('[SEP]');

  /** The longest piece from the left, again and again; a word with a part that nobody knows is unknown as a whole. */
  function piecesOf(word: string): readonly number[] {
    const whole = numbers.get(word);
    if (whole !== undefined) return [whole];
    const characters = [...word];
    if (characters.length > MAX_WORD) return [unknown];
    const pieces: number[] = [];
    for (let start = 0; start < characters.length; ) {
      let stop = characters.length;
      let found: number | undefined;
      for (; stop > start && found === undefined; stop--) {
        const piece = characters.slice(start, stop).join('');
        found = numbers.get(start === 0 ? piece : CONTINUATION + piece);
      }
      if (found === undefined) return [unknown];
      pieces.push(found);
      start = stop + 1;
    }
    return pieces;
  }

  return {
    unknown,
    encode(text, limit) {
      const ids = [begin];
      for (const word of wordsOf(text)) {
        for (const piece of piecesOf(word)) ids.push(piece);
        if (ids.length >= limit) break;
      }
      ids.length = Math.min(ids.length, limit - 1);
      ids.push(end);
      return ids;
    },
  };
}

/** Splits normalized text into words; scripts without spaces are split by the words of the patterns. */

/** A word; or a run of a script without spaces; or the end of a sentence. The tests compare what is cut by hand with it. */
export const PIECES =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+)|([\p{L}\p{N}][\p{L}\p{M}\p{N}_@$'’]*)|([.!?;:](?=\s|$|["'”’)\]])|[。！？।؟；]|\n\s*(?=[\n#*>|•-]|\d+[.)]))/gu;
const APOSTROPHE = /['’]/;
const APOSTROPHES = /['’]/g;
/** A new line that begins a new item, where `PIECES` would find one. */
const NEW_ITEM = /\n\s*(?=[\n#*>|•-]|\d+[.)])/y;

export type OnWord = (word: string) => void;

/** What an ASCII character is to `PIECES`. */
const [OTHER, STARTS_WORD, IN_WORD, QUOTE, STOP, NEW_LINE] = [0, 1, 2, 3, 4, 5];
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Za-z0-9]/.test(character)) return STARTS_WORD;
  if (/[_@$]/.test(character)) return IN_WORD;
  if (character === "'") return QUOTE;
  if (/[.!?;:]/.test(character)) return STOP;
  return character === '\n' ? NEW_LINE : OTHER;
});
const ENDS_SENTENCE = /[\s"')\]]/;
const CLOSING = Uint8Array.from({ length: 128 }, (_, code) =>
  ENDS_SENTENCE.test(String.fromCharCode(code)) ? 1 : 0,
);

/** `onRun` gets what has no spaces, `onBreak` hears of every end of a sentence. */
export function eachToken(text: string, onWord: OnWord, onRun: OnWord, onBreak: () => void): void {
  let at = eachAsciiToken(text, 0, onWord, onBreak);
  while (at < text.length) {
    PIECES.lastIndex = at;
    const piece = PIECES.exec(text);
    if (piece === null) return;
    const word = piece[2];
    if (word !== undefined) onWord(APOSTROPHE.test(word) ? word.replaceAll(APOSTROPHES, '') : word);
    else if (piece[1] !== undefined) onRun(piece[1]);
    else onBreak();
    at = eachAsciiToken(text, PIECES.lastIndex, onWord, onBreak);
  }
}

/** The same for ASCII up to the first token with another character, several times as fast; answers with where it stopped. */
function eachAsciiToken(text: string, start: number, onWord: OnWord, onBreak: () => void): number {
  for (let i = start; i < text.length; ) {
    const code = text.charCodeAt(i);
    if (code > 127) return i;
    const kind = KINDS[code]!;
    if (kind === STARTS_WORD) {
      const from = i;
      let quotes = 0;
      let next = 0;
      for (i++; i < text.length; i++) {
        next = text.charCodeAt(i);
        if (next > 127) return from;
        const inside = KINDS[next]!;
        if (inside === QUOTE) quotes++;
        else if (inside !== STARTS_WORD && inside !== IN_WORD) break;
      }
      const word = text.slice(from, i);
      onWord(quotes > 0 ? word.replaceAll(APOSTROPHES, '') : word);
      continue;
    }
    if (kind === STOP) {
      if (i + 1 === text.length) onBreak();
      else {
        const next = text.charCodeAt(i + 1);
        if (next > 127) return i;
        if (CLOSING[next] === 1) onBreak();
      }
    } else if (kind === NEW_LINE) {
      NEW_ITEM.lastIndex = i;
      if (NEW_ITEM.test(text)) {
        onBreak();
        i = NEW_ITEM.lastIndex;
        continue;
      }
    }
    i++;
  }
  return text.length;
}

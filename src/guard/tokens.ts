/** Cuts a normalised text into words; scripts without spaces are cut by the words that the patterns know. */

/** A word; or a run of a script without spaces; or the end of a sentence. */
const PIECES =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+)|([\p{L}\p{N}][\p{L}\p{M}\p{N}_@$'’]*)|([.!?;:](?=\s|$|["'”’)\]])|[。！？।؟；]|\n\s*(?=[\n#*>|•-]|\d+[.)]))/gu;
const APOSTROPHE = /['’]/;
const APOSTROPHES = /['’]/g;

export type OnWord = (word: string) => void;

/** `onRun` gets what has no spaces, `onBreak` hears of every end of a sentence. */
export function eachToken(text: string, onWord: OnWord, onRun: OnWord, onBreak: () => void): void {
  for (const piece of text.matchAll(PIECES)) {
    const word = piece[2];
    if (word !== undefined) onWord(APOSTROPHE.test(word) ? word.replaceAll(APOSTROPHES, '') : word);
    else if (piece[1] !== undefined) onRun(piece[1]);
    else onBreak();
  }
}

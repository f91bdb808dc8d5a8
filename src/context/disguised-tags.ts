/** Finds disguised tags that a model may recognize: with look-alike letters, unusual strokes, or entities. */
import { fold, foldLookAlikes } from '../guard/index.ts';

/** What a reader takes for the beginning of a tag, also where a program has written it in another way. */
const OPENING =
  /([<＜﹤〈〈⟨❬❮⧼≺˂ᐸ]|&(?:lt|#0{0,6}60|#x0{0,6}3c);?|%3c|\\u\{?0{0,4}3c\}?|\\x3c)(&(?:sol|#0{0,6}47|#x0{0,6}2f);?|%2f)?/giu;
/** More blanks than this nobody reads over. */
const LOOKED_AT = 1_000;
/** Between the letters of a name: blanks, strokes and dashes of every kind, and what nobody sees. */
const BETWEEN = /[\s\p{Pd}\p{Cf}_/\\\u00b7\u2044\u2212\u2215\u29f8\uff0f]/u;
const WORD = /[\p{L}\p{N}]/u;

const lettersOf = (name: string): string => name.replace(/[^a-z]/g, '');

/** Whether a text begins with one of these names, however it is written. */
function begins(text: string, names: readonly string[]): boolean {
  let read = '';
  for (const character of text) {
    const isDone = names.includes(read);
    const letter = foldLookAlikes(fold(character));
    if (WORD.test(letter)) {
      if (isDone) return false;
      read += letter;
      if (!names.some((name) => name.startsWith(read))) return false;
    } else if (isDone) return true;
    // An accent that stands alone belongs to the letter before it.
    else if (letter !== '' && !BETWEEN.test(character)) return false;
  }
  return names.includes(read);
}

/** The text with the beginning of every such tag replaced. No tag is looked into twice: time grows with the length alone. */
export function disarmTags(text: string, tags: readonly string[], harmless: string): string {
  const names = tags.map(lettersOf);
  return text.replace(OPENING, (found, _opening: string, slash: string | undefined, at: number) => {
    const from = at + found.length;
    return begins(text.slice(from, from + LOOKED_AT), names) ? `${harmless}${slash ?? ''}` : found;
  });
}

/** Normalizes text: one form of each character, no invisible characters, no look-alike letters. */
import { foldLookAlikes } from './confusables.ts';

export interface Normalised {
  /** For matching only; never what is stored. */
  readonly text: string;
  /** Characters between letters that nobody sees. */
  readonly invisible: number;
  /** Controls that make text read in another order than it is written. */
  readonly reordering: number;
  /** Words that mix scripts, as in a Latin word with a Cyrillic letter. */
  readonly mixed: number;
  /** What was written in tag characters, which mirror ASCII and are never shown. */
  readonly tagged: string;
}

const ASCII = /^[\x00-\x7f]*$/;
/** The flags of England, Scotland and Wales are a black flag followed by tags. */
const FLAG = /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}/gu;
const TAGS = /[\u{e0000}-\u{e007f}]/gu;
const REORDERING = /[\u202d\u202e]/g;
/** Joiners are letters of Persian and Indic words and glue of emoji; between Latin letters they only hide. */
const BETWEEN_LATIN = /(?<=[a-z])[\u034f\u00ad\u115f\u180e\u200b-\u200f\u2060-\u2064\ufeff]{1,8}(?=[a-z])/gi;
const INVISIBLE =
  /\u17b4|\u17b5|\u034f|[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\uffa0]|[\u180b-\u180d\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;
/** Accents and the vowel marks of Arabic, which writers leave out as they like. */
const MARKS = /[\u0300-\u036f\u064b-\u0652\u0670]/g;
const BORROWED = /[\u0370-\u03ff\u0400-\u052f]/;
/** Short ones are units and variables: µm, Δx. */
const MIXED_WORD = /[a-z\u0370-\u03ff\u0400-\u052f]{4,64}/g;
const LATIN = /[a-z]/;

export function normalise(text: string): Normalised {
  if (ASCII.test(text)) {
    return { text: text.toLowerCase(), invisible: 0, reordering: 0, mixed: 0, tagged: '' };
  }
  const withoutFlags = text.replace(FLAG, '');
  let tagged = '';
  const shown = withoutFlags.replace(TAGS, (tag) => {
    tagged += String.fromCodePoint(tag.codePointAt(0)! & 0x7f);
    return '';
  });
  const reordering = shown.match(REORDERING)?.length ?? 0;
  const invisible = shown.match(BETWEEN_LATIN)?.length ?? 0;
  // Some fillers become invisible characters only when they are folded.
  const plain = fold(fold(shown.replace(INVISIBLE, '')).replace(INVISIBLE, ''));
  let mixed = 0;
  const read = BORROWED.test(plain)
    ? plain.replace(MIXED_WORD, (word) => {
        if (!LATIN.test(word) || !BORROWED.test(word)) return word;
        mixed++;
        return foldLookAlikes(word);
      })
    : plain;
  return { text: read, invisible, reordering, mixed, tagged };
}

/** One form, lower case, no accents. The words of the patterns go through here too. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.toLowerCase().normalize('NFKD').replace(MARKS, '').toLowerCase().normalize('NFKC');
}

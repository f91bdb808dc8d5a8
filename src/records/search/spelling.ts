/** Corrects misspelt words of a query: "kuberentes" to "kubernetes". */
import { analyze } from '../../kernel/analysis.ts';
import { stem as stemOf } from '../../kernel/stem.ts';

/** What a word is worth that was read into the question, beside one that stands there. */
export const READ_AS = 0.5;
/** The shorter a word, the more other words are near it: from here on letters that changed places are read right, */
const SWAPPED = 5;
/** from here on letters that are missing beside their double, or too many, */
const DOUBLED = 6;
/** from here on any one slip, */
const ANY_SLIP = 8;
/** and from here on two letters that changed places or are too many. */
const TWO_SLIPS = 10;
const LONGEST = 24;
/** So many words of a question are looked at; each costs some hundred looks into the vocabulary. */
const MOST_WORDS = 3;
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const WORD = /[a-z]+/g;

/** A word as it was written, and the words that may have been meant, as stems, the likelier ones in a list of their own. */
export interface Doubt {
  readonly written: string;
  readonly near: readonly string[];
  readonly far: readonly string[];
}

/** The first letter is nearly always right, and to trust it keeps the guesses few. */
const places = (word: string): number[] => Array.from({ length: word.length - 1 }, (_, i) => i + 1);
const without = (word: string, at: number): string => word.slice(0, at) + word.slice(at + 1);
const swapped = (word: string, at: number): string =>
  word.slice(0, at) + (word[at + 1] ?? '') + word[at]! + word.slice(at + 2);

function swaps(word: string): string[] {
  return places(word).map((at) => swapped(word, at));
}

function swapsAndOmissions(word: string): string[] {
  return places(word).flatMap((at) => [swapped(word, at), without(word, at)]);
}

/** "alergic", "comittee": the commonest slip in shorter words. */
function swapsAndDoubles(word: string): string[] {
  return places(word).flatMap((at) => [
    swapped(word, at),
    word.slice(0, at) + word[at]! + word.slice(at),
    ...(word[at] === word[at - 1] ? [without(word, at)] : []),
  ]);
}

function oneSlip(word: string): string[] {
  const changed = places(word).flatMap((at) =>
    LETTERS.flatMap((letter) => [
      word.slice(0, at) + letter + word.slice(at + 1),
      word.slice(0, at) + letter + word.slice(at),
    ]),
  );
  return [...swapsAndOmissions(word), ...changed, ...LETTERS.map((letter) => word + letter)];
}

const shortSlips = (word: string): string[] => (word.length < DOUBLED ? swaps(word) : swapsAndDoubles(word));

function doubt(written: string, stem: string): Doubt {
  const isLong = written.length >= ANY_SLIP;
  // A slip in the ending changes what the stem is, so it is the word that is put right, and the stem besides.
  const near = new Set([
    ...(isLong ? oneSlip(written) : shortSlips(written)).map(stemOf),
    ...(isLong ? swapsAndOmissions(stem) : shortSlips(stem)),
  ]);
  const far = new Set(written.length >= TWO_SLIPS ? swapsAndOmissions(stem).flatMap(swapsAndOmissions) : []);
  for (const term of [stem, ...near]) far.delete(term);
  near.delete(stem);
  return { written, near: [...near], far: [...far] };
}

/** The words of a question that no record holds and that may be slips. */
export function doubtsIn(query: string, frequencies: ReadonlyMap<string, number>): Doubt[] {
  const doubts = new Map<string, Doubt>();
  // Each word once: a long text may repeat one that nobody knows thousands of times.
  const words = new Set(Array.from(query.toLowerCase().matchAll(WORD), ([word]) => word));
  for (const written of words) {
    if (doubts.size >= MOST_WORDS) break;
    if (written.length < SWAPPED || written.length > LONGEST) continue;
    const [stem] = analyze(written);
    if (stem !== undefined && stem.length > 2 && frequencies.get(stem) === 0) {
      doubts.set(stem, doubt(written, stem));
    }
  }
  return [...doubts.values()];
}

/** The likeliest of the words that may have been meant: the one that most records hold. */
export function meant({ near, far }: Doubt, frequencies: ReadonlyMap<string, number>): string | undefined {
  for (const terms of [near, far]) {
    const known = terms.filter((term) => (frequencies.get(term) ?? 0) > 0);
    known.sort((a, b) => frequencies.get(b)! - frequencies.get(a)! || (a < b ? -1 : 1));
    if (known[0] !== undefined) return known[0];
  }
  return undefined;
}

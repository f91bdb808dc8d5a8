/** Tells whether two statements say the same: by their words, and by what must not differ: numbers, names, negation. */
import { analyze, isTelling } from '../kernel/analysis.ts';

interface Features {
  readonly terms: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  /** In order: "Ann reports to Bob" is not "Bob reports to Ann". */
  readonly names: readonly string[];
  readonly isNegated: boolean;
}

export type Likeness =
  | 'same'
  /** The second says all that the first does, and more. */
  | 'fuller'
  | 'different';

const NUMBER = /\d+(?:[.,:/-]\d+)*/g;
const NEGATION =
  /\b(?:not|no|never|none|nothing|without|cannot|stopped|nicht|kein\w*|nie|jamais|sans|nunca|sin)\b|n['’]t\b|不|没/iu;
const NAME = /\p{Lu}[\p{L}\p{N}_-]*/gu;
/** How a statement about the user begins in the words of most models; says nothing by itself. */
const SUBJECT = /^(?:the\s+)?user(?:['’]s)?\s+/i;

function featuresOf(text: string): Features {
  const plain = text.replace(SUBJECT, '');
  const words = plain.match(NAME) ?? [];
  return {
    terms: new Set(analyze(plain).filter(isTelling)),
    numbers: new Set(plain.match(NUMBER) ?? []),
    // The first word of a sentence has its capital for another reason, unless it stands alone.
    names: words.filter((word) => !plain.startsWith(word)).map((word) => word.toLowerCase()),
    isNegated: NEGATION.test(plain),
  };
}

function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const entry of a) if (b.has(entry)) shared++;
  return shared;
}

const within = (part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean =>
  countShared(part, whole) === part.size;

/** Of the words of both, this part must be shared. Lower merges what is only about the same thing. */
const LEAST_SHARED = 0.75;
/** A statement that became three times as long says something of its own. */
const MOST_GROWTH = 3;

export function compare(known: string, said: string): Likeness {
  const [a, b] = [featuresOf(known), featuresOf(said)];
  if (a.isNegated !== b.isNegated || a.terms.size === 0) return 'different';
  const shared = countShared(a.terms, b.terms);
  const all = a.terms.size + b.terms.size - shared;
  const sameNumbers = a.numbers.size === b.numbers.size && within(a.numbers, b.numbers);
  const sameNames = a.names.join(' ') === b.names.join(' ');
  if (sameNumbers && sameNames && shared / all >= LEAST_SHARED) return 'same';
  const holdsAll = within(a.terms, b.terms) && within(a.numbers, b.numbers) && inOrder(a.names, b.names);
  if (holdsAll && b.terms.size <= a.terms.size * MOST_GROWTH) return 'fuller';
  return 'different';
}

/** Whether a changed statement says something else instead of the same thing better: then the old one must stay readable. */
export function contradicts(known: string, said: string): boolean {
  const [a, b] = [featuresOf(known), featuresOf(said)];
  return a.isNegated !== b.isNegated || !within(a.numbers, b.numbers) || !inOrder(a.names, b.names);
}

function inOrder(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const name of whole) if (name === part[at]) at++;
  return at === part.length;
}

/** The part of a statement's words that a text holds, 0 to 1. */
export function coveredBy(statement: string, words: ReadonlySet<string>): number {
  const { terms } = featuresOf(statement);
  return terms.size === 0 ? 0 : countShared(terms, words) / terms.size;
}

export function wordsOf(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => analyze(text)));
}

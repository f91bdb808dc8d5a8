/** Compares two statements by their words, numbers, names and negation. */
import { analyze, isTelling } from '../kernel/analysis.ts';

interface Features {
  /** Every word, as search knows it. */
  readonly words: ReadonlySet<string>;
  readonly terms: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  /** Words with a capital, in order: "Ann reports to Bob" is not "Bob reports to Ann". */
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
  const words = analyze(plain);
  return {
    words: new Set(words),
    terms: new Set(words.filter(isTelling)),
    numbers: new Set(plain.match(NUMBER) ?? []),
    names: (plain.match(NAME) ?? []).flatMap((name) => analyze(name)),
    isNegated: NEGATION.test(plain),
  };
}

/** Every name of the first is in the second, and those that both write as names come in the same order. */
function keepsNames(a: Features, b: Features): boolean {
  const common = (one: Features, other: Features) => one.names.filter((name) => other.names.includes(name));
  return a.names.every((name) => b.words.has(name)) && common(a, b).join(' ') === common(b, a).join(' ');
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
  const sameNames = keepsNames(a, b) && keepsNames(b, a);
  if (sameNumbers && sameNames && shared / all >= LEAST_SHARED) return 'same';
  const holdsAll = within(a.terms, b.terms) && within(a.numbers, b.numbers) && keepsNames(a, b);
  if (holdsAll && b.terms.size <= a.terms.size * MOST_GROWTH) return 'fuller';
  return 'different';
}

/** Whether a changed statement says something else instead of the same thing better: then the old one must stay readable. */
export function contradicts(known: string, said: string): boolean {
  const [a, b] = [featuresOf(known), featuresOf(said)];
  return a.isNegated !== b.isNegated || !within(a.numbers, b.numbers) || !keepsNames(a, b);
}

/** The part of a statement's words that a text holds, 0 to 1. */
export function coveredBy(statement: string, words: ReadonlySet<string>): number {
  const { terms } = featuresOf(statement);
  return terms.size === 0 ? 0 : countShared(terms, words) / terms.size;
}

export function wordsOf(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => analyze(text)));
}

/** Locates the matches of the guard in a text, for the person who decides about it. */

import { type Finding, scan } from './scan.ts';
import { findSecrets } from './secrets.ts';

export interface Match {
  /** The reason of the finding, or `secret:` and the kind of the secret. */
  readonly reason: string;
  /** Positions in the text, as in `text.slice(start, end)`. */
  readonly start: number;
  readonly end: number;
}

/** Each search reads the text about twenty times. */
const MOST_CHARACTERS = 10_000;
const MOST_FINDINGS = 8;
/** What a text as a whole is like has no place in it. */
const WHOLE = ['reads-like-an-order', 'repetition'];

/** The smallest number in a range that passes, if all after it do too. */
function firstThat(low: number, high: number, passes: (number: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (passes(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** The fewest words that still have the finding; undefined when no part of the text has it. */
function wordsOf(text: string, { name, reason }: Finding): Match | undefined {
  const words = [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
  }));
  const has = (first: number, last: number): boolean =>
    scan(text.slice(words[first]!.start, words[last]!.end)).findings.some((found) => found.name === name);
  if (words.length === 0) return undefined;
  const last = firstThat(0, words.length - 1, (end) => has(0, end));
  const first = last - firstThat(0, last, (length) => has(last - length, last));
  return has(first, last) ? { reason, start: words[first]!.start, end: words[last]!.end } : undefined;
}

export function locate(text: string, findings: readonly Finding[]): Match[] {
  const secrets = findSecrets(text).map(({ name, start, end }) => ({ reason: `secret:${name}`, start, end }));
  const inWords =
    text.length > MOST_CHARACTERS
      ? []
      : findings
          .filter(({ name }) => !WHOLE.includes(name))
          .slice(0, MOST_FINDINGS)
          .flatMap((finding) => wordsOf(text, finding) ?? []);
  return [...secrets, ...inWords].sort((a, b) => a.start - b.start || a.end - b.end);
}

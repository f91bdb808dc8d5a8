/** Query expansion with words that the best hits share: "the person from Taiyuan" adds that person's name. */
import { isTelling } from '../../kernel/analysis.ts';
import { type TermCounts, tellingWords } from './term-counts.ts';
import { rarity, type Weights } from './text-evidence.ts';

/** Measured on the development half of the public sets (docs/benchmarks.md): more hits or terms drift off the topic. */
const LENDERS = 4;
/** Where the first are copies of one another, others are looked for among so many. */
const LOOKED_AT = 12;
const MAX_TERMS = 25;
/** How much a borrowed word is worth beside one of the question's own. */
const STRENGTH = 0.6;
/** A long text is about many things: its words say less about the question. */
const SHORT_TEXT = 60;

export interface ExpansionSource {
  readonly terms: TermCounts;
  readonly score: number;
}

/** Texts that share so much of their words say nearly the same: the words of one say nothing new beside the other. */
const NEARLY_THE_SAME = 0.5;

function overlap(a: TermCounts, b: TermCounts): number {
  const [small, large] = a.counts.size <= b.counts.size ? [a.counts, b.counts] : [b.counts, a.counts];
  let shared = 0;
  let all = 0;
  for (const term of small.keys()) {
    if (!isTelling(term)) continue;
    all++;
    if (large.has(term)) shared++;
  }
  for (const term of large.keys()) if (isTelling(term) && !small.has(term)) all++;
  return all === 0 ? 1 : shared / all;
}

/** The first so many that are not nearly the same as one before: copies of a text must not vote for each other's words. */
export function distinctLenders<Hit>(
  hits: readonly Hit[],
  termsOf: (hit: Hit) => TermCounts,
): { hit: Hit; terms: TermCounts }[] {
  const chosen: { hit: Hit; terms: TermCounts }[] = [];
  for (const hit of hits.slice(0, LOOKED_AT)) {
    if (chosen.length === LENDERS) break;
    const terms = termsOf(hit);
    if (!chosen.some((other) => overlap(other.terms, terms) >= NEARLY_THE_SAME)) chosen.push({ hit, terms });
  }
  return chosen;
}

/** The candidates for expansion terms and what each is worth so far, before frequencies are known. */
export function borrowedTerms(hits: readonly ExpansionSource[], asked: Weights): Map<string, number> {
  const best = hits.slice(0, LENDERS).filter((hit) => hit.score > 0);
  const total = best.reduce((sum, hit) => sum + hit.score, 0);
  const shares = new Map<string, number>();
  for (const { terms, score } of best) {
    const share = (score / total) * (SHORT_TEXT / (SHORT_TEXT + terms.length));
    for (const term of tellingWords(terms))
      if (!asked.has(term)) shares.set(term, (shares.get(term) ?? 0) + share);
  }
  return shares;
}

export function expand(
  shares: ReadonlyMap<string, number>,
  frequencies: ReadonlyMap<string, number>,
  population: number,
): Map<string, number> {
  const rarest = Math.log(1 + population);
  const weighed: [string, number][] = [];
  for (const [term, share] of shares) {
    const frequency = frequencies.get(term) ?? 0;
    // A word that only one record holds leads nowhere else.
    if (frequency < 2) continue;
    const idf = rarity(frequency, population);
    weighed.push([term, (2 * STRENGTH * share * idf * idf) / rarest]);
  }
  return new Map(weighed.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MAX_TERMS));
}

/** Words that the best hits share and the question lacks: "the person from Taiyuan" brings in that person's name. */
import { isTelling } from '../../kernel/analysis.ts';
import type { TermCounts } from './term-counts.ts';
import { rarity, type Weights } from './text-evidence.ts';

/** Measured on the development half of the public sets (docs/benchmarks.md): more hits or terms drift off the topic. */
export const LENDERS = 4;
const MAX_TERMS = 25;
/** How much a borrowed word is worth beside one of the question's own. */
const STRENGTH = 0.6;
/** A long text is about many things: its words say less about the question. */
const SHORT_TEXT = 60;

export interface ExpansionSource {
  readonly terms: TermCounts;
  readonly score: number;
}

/** The candidates for expansion terms and what each is worth so far, before frequencies are known. */
export function borrowedTerms(hits: readonly ExpansionSource[], asked: Weights): Map<string, number> {
  const best = hits.slice(0, LENDERS).filter((hit) => hit.score > 0);
  const total = best.reduce((sum, hit) => sum + hit.score, 0);
  const shares = new Map<string, number>();
  for (const { terms, score } of best) {
    const share = (score / total) * (SHORT_TEXT / (SHORT_TEXT + terms.length));
    for (const term of terms.counts.keys()) {
      if (!asked.has(term) && !terms.labels.has(term) && isTelling(term))
        shares.set(term, (shares.get(term) ?? 0) + share);
    }
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

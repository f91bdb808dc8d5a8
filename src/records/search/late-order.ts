/** Orders the best hits by what late interaction says of them as well; how relevant they are stays as it was. */
import type { KeepsakeError } from '../../kernel/errors.ts';
import type { LateInteraction } from '../late-interaction.ts';
import { inOrder, type Ranked } from '../ranker.ts';
import { LEAST_RELEVANCE } from './silence.ts';

/** So many of the best are compared. */
const COMPARED = 50;
/** What a match counts beside the score, both in standard deviations: measured by conversation, see 0043. */
const WEIGHT = 0.8;

/** Of the exponent: beyond this the product would be infinite where a score is 0 by rounding. */
const MOST = 600;

interface Spread {
  readonly mean: number;
  readonly deviation: number;
}

function spreadOf(values: readonly number[]): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) };
}

/** What each of these is multiplied with: 1 for the average match, and for what was not compared. */
export function tokenBoosts(
  hits: readonly Pick<Ranked, 'record' | 'score'>[],
  matches: ReadonlyMap<string, number>,
): number[] {
  const found = hits.map(({ record }) => matches.get(record.id));
  const compared = found.filter((match) => match !== undefined);
  const match = spreadOf(compared);
  // In logarithms, because the score is a product.
  const score = spreadOf(hits.map((hit) => Math.log(Math.max(Number.MIN_VALUE, hit.score))));
  if (compared.length < 2 || !Number.isFinite(score.deviation / match.deviation)) return hits.map(() => 1);
  const exponent = (each: number) => (WEIGHT * score.deviation * (each - match.mean)) / match.deviation;
  return found.map((each) => (each === undefined ? 1 : Math.exp(Math.min(MOST, exponent(each)))));
}

/** In their order, and in its own where it can be told; `onFailure` says why it cannot. */
export async function inLateOrder(
  late: Pick<LateInteraction, 'matches'> | undefined,
  query: string,
  hits: readonly Ranked[],
  onFailure: (why: KeepsakeError) => void,
): Promise<readonly Ranked[]> {
  if (late === undefined) return hits;
  // The same ones whatever relevance is asked for, or the order would depend on it.
  const best = hits.filter(({ relevance }) => relevance >= LEAST_RELEVANCE).slice(0, COMPARED);
  if (best.length < 2) return hits;
  const ids = best.map(({ record }) => record.id);
  const matches = await late.matches(query, ids, onFailure);
  if (matches === undefined) return hits;
  const boosts = new Map(tokenBoosts(best, matches).map((boost, i) => [ids[i]!, boost]));
  return inOrder(
    hits.map((hit) => {
      const tokenBoost = boosts.get(hit.record.id) ?? 1;
      return { ...hit, score: hit.score * tokenBoost, factors: { ...hit.factors, tokenBoost } };
    }),
  );
}

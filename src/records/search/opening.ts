/** The opening boost: the first lines of long texts count twice, because they often state the topic. */
import type { Embedding } from '../../ports/record-store.ts';
import type { Embedder } from '../embedder.ts';
import type { Judged } from './judgement.ts';
import { countTerms, type TermCounts } from './term-counts.ts';
import { bm25, type Held } from './text-evidence.ts';
import { rowOf } from './word-counts.ts';

/** Characters of an opening. */
const OPENING = 600;
/** What a complete opening adds where all texts are longer than an opening; half of it for words, half for meaning. */
const STRENGTH = 0.8;
/** Where fewer texts are long, openings are nearly all texts, and counting the others is not worth the time. */
const LEAST_LONG = 0.1;

/** Only openings of the most relevant hits are read, which takes time; what is behind them stays there. */
const LOOKED_AT = 50;

/** Records come up again and again, and a store hands out the same ones. */
const openings = new WeakMap<object, { readonly text: string; readonly terms: TermCounts }>();

function openingOf({ record }: Judged) {
  let known = openings.get(record);
  if (known === undefined) {
    const text = record.content.slice(0, OPENING);
    known = { text, terms: countTerms({ content: text, category: '', tags: [] }) };
    openings.set(record, known);
  }
  return known;
}

/** What each hit gains by its opening, around 1, in the order of the hits; 1 where hardly any text is long. */
export function openingBoosts(
  hits: readonly Judged[],
  embedding: Embedding | undefined,
  embedder: Pick<Embedder, 'compare'>,
): number[] {
  const isLong = ({ record, candidate }: Judged): boolean =>
    record.content.length > OPENING && !candidate.past;
  const long = hits.filter(isLong).length / Math.max(1, hits.length);
  if (long < LEAST_LONG) return hits.map(() => 1);
  const first = hits.toSorted((a, b) => b.relevance - a.relevance).slice(0, LOOKED_AT);
  const rows = first.map((hit): Held => {
    return isLong(hit) ? rowOf(openingOf(hit).terms, hit.asked.terms) : hit.candidate.held;
  });
  const typical = rows.reduce((sum, { length }) => sum + length, 0) / rows.length;
  const words = shares(first.map(({ asked }, i) => bm25(rows[i]!, asked.worth, Math.max(1, typical))));
  const meaning = shares(
    first.map((hit) => {
      if (embedding === undefined || hit.similarity === null) return 0;
      if (!isLong(hit)) return hit.similarity;
      const { text, terms } = openingOf(hit);
      return embedder.compare(text, embedding, terms) ?? 0;
    }),
  );
  const boosts = first.map((_, i) => 1 + (STRENGTH * long * (words[i]! + meaning[i]!)) / 2);
  const mean = boosts.reduce((sum, boost) => sum + boost, 0) / boosts.length;
  const least = Math.min(...boosts) / mean;
  const byHit = new Map(first.map((hit, i) => [hit, boosts[i]! / mean]));
  return hits.map((hit) => byHit.get(hit) ?? least);
}

/** Of the greatest; nothing where there is nothing above 0. */
function shares(values: readonly number[]): number[] {
  const most = Math.max(0, ...values);
  return values.map((value) => (most === 0 ? 0 : Math.max(0, value) / most));
}

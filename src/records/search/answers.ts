/** Decides which hits are likely answers, for search, recall, prompts, tools and hooks. */
import { type AnswerEvidence, evidenceAmong, FACT_WORDS, isFact } from './answer-evidence.ts';
import type { Judged } from './judgement.ts';
import { LEAST_RELEVANCE } from './silence.ts';
import type { WordSense } from './word-meaning.ts';

/** What a hit was compared by: single words and texts, whole texts only, or only by its letters. */
type Witnesses = 'wordsAndMeaning' | 'meaning' | 'letters';
type Weights = Readonly<Partial<Record<keyof AnswerEvidence, number>> & { readonly least: number }>;

/**
 * In logits: what each kind of evidence weighs, and what an answer must reach. Fitted on small stores and on questions to
 * the memories of others, each time without the store that was judged (0029).
 */
const FACTS: Record<Witnesses, Weights> = {
  wordsAndMeaning: {
    least: -1.2,
    coverage: 0.9,
    meaning: 2.8,
    lacksName: -1.8,
    lacksNames: -3.3,
    lacksNumber: -6.3,
    lacksKind: -2.8,
    lacking: -1.5,
    lacksMost: -0.85,
    lacksMore: -1.8,
    behind: -3,
    population: -1.3,
    length: -0.6,
  },
  meaning: {
    least: -1.3,
    meaning: 3.7,
    lacksName: -1.7,
    lacksNames: -3.8,
    lacksNumber: -6.7,
    lacksKind: -2.9,
    lacking: -2.8,
    lacksMore: -1.3,
    behind: -2.4,
    population: -1.3,
    length: -0.6,
  },
  letters: {
    least: -2.3,
    relevance: 2,
    lacksName: -1.6,
    lacksNames: -4.1,
    lacksNumber: -6.5,
    lacksKind: -2.4,
    lacking: -3.1,
    lacksMore: -1.7,
    behind: -4.1,
    population: -0.9,
    length: -0.6,
  },
};
/** Of turns and passages; one may leave out whom it is about, and its neighbours say what it lacks. */
const OTHERS: Record<Witnesses, Weights> = {
  wordsAndMeaning: {
    least: -0.6,
    relevance: 3.6,
    coverage: 4.9,
    unknownNames: -5.3,
    lacksNames: -3,
    lacksMost: -1.5,
    company: 8,
    population: -2,
    length: -1.75,
  },
  meaning: {
    least: 1.7,
    relevance: 4.2,
    coverage: 5.5,
    unknownNames: -6.4,
    lacksNames: -0.9,
    lacking: -1.2,
    company: 8,
    population: -1.9,
    length: -1.7,
  },
  letters: {
    least: 1,
    relevance: 2.4,
    coverage: 6,
    unknownNames: -5.7,
    lacksNames: -1.1,
    company: 10.5,
    population: -2.9,
    length: -1.3,
  },
};

/** Where the best reaches what an answer must reach, others need so much less… */
const BESIDE_ANSWER = 0.5;
/** …but among facts what is so much weaker than the best is noise. */
const BESIDE_BEST = 2.5;
/** What the best is looked for among: order has other reasons too. */
const FIRST = 5;
const LOOKED_AT = 10;

function weightsFor(hit: Judged, sense: WordSense | undefined): Weights {
  const kind = isFact(hit) ? FACTS : OTHERS;
  if (hit.similarity === null) return kind.letters;
  return sense === undefined ? kind.meaning : kind.wordsAndMeaning;
}

/** In logits above what an answer must reach. */
function weighed(evidence: AnswerEvidence, { least, ...weights }: Weights): number {
  let sum = -least;
  for (const [kind, weight] of Object.entries(weights))
    sum += weight * evidence[kind as keyof AnswerEvidence];
  return sum;
}

/**
 * The answers among hits, in their order. A question whose best hit does not reach what an answer must reach has none. Facts
 * must besides be nearly as good as the best; turns and passages answer together, so those that are relevant at all stay. A
 * remark shares little with what it goes on with: of turns it brings whatever is relevant.
 */
export function answersAmong<Hit extends Judged>(
  hits: readonly Hit[],
  { query, isRemark }: { readonly query: string; readonly isRemark: boolean },
  sense?: WordSense,
): Hit[] {
  const relevant = hits.filter(({ relevance }) => relevance >= LEAST_RELEVANCE);
  const evidence = evidenceAmong(relevant, query, sense);
  const worthOf = (hit: Hit): number => weighed(evidence.of(hit), weightsFor(hit, sense));
  const worthAtBest = (hit: Hit): number => weighed(evidence.atBest(hit), weightsFor(hit, sense));
  const first = relevant.slice(0, FIRST);
  const best = Math.max(...first.map(worthOf));
  if (!(best >= 0) && !isRemark) return [];
  const bestFact = Math.max(...first.filter(isFact).map(worthOf));
  const typical = relevant.slice(0, LOOKED_AT);
  const words = typical.reduce((sum, { candidate }) => sum + candidate.held.length, 0);
  const areFacts = words <= FACT_WORDS * typical.length;
  const least = Math.max(-BESIDE_ANSWER, bestFact - BESIDE_BEST);
  return relevant.filter((hit) => {
    if (!areFacts || !isFact(hit)) return true;
    // Most hits are too weak whatever they say; comparing their words would take most of the time of a search.
    return worthAtBest(hit) >= least && worthOf(hit) >= least;
  });
}

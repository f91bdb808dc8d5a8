/** Analyzes a query: weighted words, corrected spelling, and dates. */
import { queryTerms } from '../../kernel/analysis.ts';
import type { Viewer } from '../../kernel/scope.ts';
import type { SearchReads, TermStatistics } from '../../ports/record-store.ts';
import type { AskedTime } from './dates.ts';
import { identifyingNames } from './identifying-names.ts';
import { doubtsIn, meant, READ_AS } from './spelling.ts';
import { MAX_QUERY, namesIn, rarity, type Weights, weigh } from './text-evidence.ts';

export interface Asked {
  readonly weights: Weights;
  /** The same in two lists: the terms, and what each is worth. */
  readonly terms: readonly string[];
  readonly worth: Float64Array;
  /** The terms that some record holds. */
  readonly known: readonly string[];
  /** Words of the question that nobody holds, by the stems that they were read as. */
  readonly readAs: ReadonlyMap<string, string>;
  readonly time: AskedTime | undefined;
  /** Where in the list the terms of that time stand. */
  readonly dated: readonly number[];
  /** And those of the names in it. */
  readonly names: readonly number[];
  /** Where the terms stand that say whom or which one is meant: names of people, places and things, and numbers. */
  readonly identifying: { readonly names: readonly number[]; readonly numbers: readonly number[] };
  /** Where the terms of each part stand if it asks for several things: "rain in Bergen and rehearsals of the orchestra". */
  readonly parts: readonly (readonly number[])[];
  /** Whether it has no capital letter behind its first, so that a name may be written like any word. */
  readonly isWithoutCapitals: boolean;
  /** By place: whether any record that the viewer may see holds the term, or is of the time that it says. */
  readonly isKnown: readonly boolean[];
  readonly population: number;
}

interface Question {
  readonly query: string;
  readonly viewer: Viewer;
  readonly terms: readonly string[];
  readonly statistics: TermStatistics;
  readonly time: AskedTime | undefined;
  /** How many records were stored at that time. */
  readonly ofThen: number;
}

export async function readQuestion(
  store: SearchReads,
  { query, viewer, terms, statistics, time, ofThen }: Question,
): Promise<Asked> {
  const { frequencies, population } = statistics;
  const weights = weigh(terms, frequencies, population);
  const readAs = await readRight(store, query, viewer, statistics, weights);
  const known = [...terms.filter((term) => (frequencies.get(term) ?? 0) > 0), ...readAs.keys()];
  const dated = time?.terms.filter((term) => weights.has(term)) ?? [];
  // All words of a date together are one word: "two weeks ago" does not say more than "yesterday".
  if (ofThen > 0) for (const term of dated) weights.set(term, rarity(ofThen, population) / dated.length);
  const all = [...weights.keys()];
  const placesOf = (some: readonly string[]): number[] =>
    some.map((term) => all.indexOf(term)).filter((place) => place >= 0);
  const isHeld = new Set(known);
  const meant = placesOf(identifyingNames(query));
  return {
    identifying: {
      names: meant,
      numbers: all.flatMap((term, place) => (NUMBER.test(term) && !meant.includes(place) ? [place] : [])),
    },
    parts: partsOf(query)
      .map((part) => placesOf(queryTerms(part)))
      .filter(({ length }) => length > 1),
    isWithoutCapitals: !CAPITAL.test(query.slice(1)),
    isKnown: all.map((term) => isHeld.has(term) || (ofThen > 0 && dated.includes(term))),
    weights,
    terms: all,
    worth: Float64Array.from(weights.values()),
    known,
    readAs,
    time,
    dated: placesOf(dated),
    names: placesOf(namesIn(query)),
    population,
  };
}

const PARTS = /\s*[,;]\s*|\s+(?:and|or)\s+/iu;
/** None of a question that asks for one thing. */
function partsOf(query: string): string[] {
  const parts = query.slice(0, MAX_QUERY).split(PARTS);
  return parts.length > 1 ? parts : [];
}

const CAPITAL = /\p{Lu}/u;
/** "k8s" is a word. */
const NUMBER = /^\d/;

/** Adds the words that were meant to the weights. */
async function readRight(
  store: SearchReads,
  query: string,
  viewer: Viewer,
  { frequencies, population }: TermStatistics,
  weights: Map<string, number>,
): Promise<Map<string, string>> {
  const readAs = new Map<string, string>();
  const doubts = doubtsIn(query, frequencies);
  if (doubts.length === 0) return readAs;
  const guesses = new Set(doubts.flatMap(({ near, far }) => [...near, ...far]));
  const { frequencies: found } = await store.termStatistics([...guesses], viewer);
  for (const doubt of doubts) {
    const term = meant(doubt, found);
    if (term === undefined || weights.has(term)) continue;
    weights.set(term, READ_AS * rarity(found.get(term)!, population));
    readAs.set(term, doubt.written);
  }
  return readAs;
}

/** Computes the relevance of candidates: first individually, then with the evidence of neighbours. */
import type { MemoryRecord } from '../../kernel/record.ts';
import type { Neighbours } from '../../ports/record-store.ts';
import type { Candidate } from './candidates.ts';
import { alone, type Turn, withContext } from './context-evidence.ts';
import { asksSomething } from './form.ts';
import { type Calibration, type Evidence, fuse, semantic } from './fusion.ts';
import type { Asked } from './question.ts';
import { bm25, coverage, fullWeight, type Held, withNames } from './text-evidence.ts';

/** A record and all that speaks for it. */
export interface Judged {
  readonly record: MemoryRecord;
  /** How well it answers the question, 0 to 1. */
  readonly relevance: number;
  /** Share of the question's telling words that it holds, 0 to 1. */
  readonly coverage: number;
  /** Cosine with the question, or null when one of the two has no vector. */
  readonly similarity: number | null;
  /** The same, calibrated: 0 is what unrelated texts reach, 1 what texts of the same meaning reach. */
  readonly semantic: number;
  /** What its neighbours in the thread add, 0 to 1. */
  readonly context: number;
  /** The part of its relevance that it has from words of the best hits. */
  readonly lent: number;
  /** What it gains among these candidates by how it begins and, as a line of a conversation, by its form; 1 changes nothing. */
  readonly opening: number;
  readonly speech: number;
  readonly candidate: Candidate;
  readonly asked: Asked;
}

/** What further words add, beside those of the question. */
export interface Borrowed {
  readonly worth: Float64Array;
  /** In the order of the candidates. */
  readonly rows: readonly Held[];
}

/** Typical of these candidates: what is long for notes is short for documents. */
function typicalLength(candidates: readonly Candidate[]): number {
  let total = 0;
  for (const { held } of candidates) total += held.length;
  return Math.max(1, total / Math.max(1, candidates.length));
}

/** The candidates, best first, by their own evidence alone. */
export function weighed(
  candidates: readonly Candidate[],
  { weights, worth }: Asked,
  calibration: Calibration,
): { candidate: Candidate; score: number }[] {
  const typical = typicalLength(candidates);
  const whole = fullWeight(weights);
  const evidence = {
    text: columnOf(candidates, ({ held }) => bm25(held, worth, typical)),
    similarity: similaritiesOf(candidates),
    coverage: columnOf(candidates, ({ weight }) => coverage(weight, whole)),
  };
  const relevances = fuse(evidence, calibration, whole);
  return candidates
    .map((candidate, index) => ({ candidate, score: relevances[index] as number }))
    .sort((a, b) => b.score - a.score || (a.candidate.record.id < b.candidate.record.id ? 1 : -1));
}

export interface Grounds {
  readonly asked: Asked;
  readonly calibration: Calibration;
  readonly borrowed: Borrowed;
  /** What stands beside each candidate, by its id. */
  readonly beside: ReadonlyMap<string, Neighbours>;
}

/** Words that the best hits lend may add so much to a relevance… */
const LENT = 0.2;
/** …and beyond that only this part: who shares a word with the best hit answers no question by that. */
const BEYOND = 0.3;

function withLent(own: number, all: number): number {
  const gain = all - own;
  return gain <= LENT ? all : own + LENT + BEYOND * (gain - LENT);
}

/** What the given evidence of words comes to, with what neighbours lend. */
function judgedBy(
  scores: Float64Array,
  candidates: readonly Candidate[],
  known: Pick<Evidence, 'similarity' | 'coverage'>,
  { asked, calibration, beside }: Grounds,
) {
  const whole = fullWeight(asked.weights);
  const texts = withNeighbours(scores, candidates, beside);
  const text = columnOf(candidates, ({ held }, i) => withNames(held, asked.names, texts[i]!, whole));
  return { texts, relevances: fuse({ text, ...known }, calibration, whole) };
}

/** The evidence for each candidate, with that of what stands beside it. */
function withNeighbours(
  scores: Float64Array,
  candidates: readonly Candidate[],
  beside: ReadonlyMap<string, Neighbours>,
): Float64Array {
  const turnAt = (i: number): Turn => {
    const { record, held } = candidates[i]!;
    return { length: held.length, asks: asksSomething(record), score: scores[i]! };
  };
  // Most facts stand alone.
  if (beside.size === 0) return scores.map((_, i) => alone(turnAt(i)));
  const places = new Map(candidates.map(({ record }, i) => [record.id, i]));
  const turnsOf = (records: readonly MemoryRecord[]): Turn[] =>
    records.flatMap(({ id }) => {
      const place = places.get(id);
      return place === undefined ? [] : [turnAt(place)];
    });
  return columnOf(candidates, ({ record }, i) => {
    const neighbours = beside.get(record.id);
    if (neighbours === undefined) return alone(turnAt(i));
    return withContext(turnAt(i), turnsOf(neighbours.before), turnsOf(neighbours.after));
  });
}

/** In the order of the candidates. */
export function judged(candidates: readonly Candidate[], grounds: Grounds): Judged[] {
  const { asked, calibration, borrowed } = grounds;
  const typical = typicalLength(candidates);
  const whole = fullWeight(asked.weights);
  const known = {
    similarity: similaritiesOf(candidates),
    coverage: columnOf(candidates, ({ weight }) => coverage(weight, whole)),
  };
  const own = columnOf(candidates, ({ held }) => bm25(held, asked.worth, typical));
  const byOwn = judgedBy(own, candidates, known, grounds);
  const hasLent = borrowed.worth.length > 0;
  const scores = hasLent
    ? own.map((score, i) => score + bm25(borrowed.rows[i]!, borrowed.worth, typical))
    : own;
  const { texts, relevances } = hasLent ? judgedBy(scores, candidates, known, grounds) : byOwn;
  let most = 0;
  for (const text of texts) most = Math.max(most, text);
  return candidates.map((candidate, i) => {
    const { record, similarity } = candidate;
    const beside = texts[i]! - scores[i]!;
    const relevance = withLent(byOwn.relevances[i]!, relevances[i]!);
    return {
      record,
      candidate,
      asked,
      similarity,
      relevance,
      coverage: known.coverage[i]!,
      semantic: similarity === null ? 0 : semantic(similarity, calibration),
      context: most === 0 ? 0 : Math.max(0, beside) / most,
      lent: Math.max(0, relevance - byOwn.relevances[i]!),
      opening: 1,
      speech: 1,
    };
  });
}

function columnOf(
  candidates: readonly Candidate[],
  measure: (candidate: Candidate, place: number) => number,
): Float64Array {
  const column = new Float64Array(candidates.length);
  for (let i = 0; i < column.length; i++) column[i] = measure(candidates[i]!, i);
  return column;
}

const similaritiesOf = (candidates: readonly Candidate[]): Float64Array =>
  columnOf(candidates, ({ similarity }) => similarity ?? Number.NaN);

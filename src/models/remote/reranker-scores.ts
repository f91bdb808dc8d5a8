/** Validates scores of an external reranker: one per text, from 0 to 1. */
import { KeepsakeError } from '../../kernel/errors.ts';

/** What a server says of one text; the name of the score differs from server to server. */
interface Judgement {
  readonly index?: unknown;
  readonly relevance_score?: unknown;
  readonly relevanceScore?: unknown;
  readonly score?: unknown;
}

function wrong(model: string, what: string): KeepsakeError {
  return new KeepsakeError('UNAVAILABLE', `The reranker ${model} answered with ${what}.`, {
    hint: 'Check that the address leads to a reranking model; nothing of the answer was used.',
    details: { model },
  });
}

const logistic = (score: number): number => 1 / (1 + Math.exp(-score));

/** Some servers answer with the bare numbers of the model. One that cannot be a probability gives all of them away. */
function asProbabilities(scores: readonly number[]): number[] {
  const isBare = scores.some((score) => score < 0 || score > 1);
  return scores.map((score) => (isBare ? logistic(score) : score));
}

/** A judgement for every text, whatever their order; a text that is judged twice or not at all spoils the whole answer. */
export function readScores(answer: unknown, count: number, model: string): number[] {
  if (!Array.isArray(answer)) throw wrong(model, 'no list of scores');
  if (answer.length !== count) throw wrong(model, `${answer.length} scores for ${count} texts`);
  const scores = new Map<number, number>();
  for (const { index, relevance_score, relevanceScore, score } of answer as readonly Judgement[]) {
    const value = relevance_score ?? relevanceScore ?? score;
    if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong(model, 'a score that is no number');
    if (typeof index !== 'number' || index < 0 || index >= count || scores.has(index))
      throw wrong(model, `a score of text ${String(index)} where there are ${count}`);
    scores.set(index, value);
  }
  return asProbabilities(Array.from({ length: count }, (_, index) => scores.get(index)!));
}

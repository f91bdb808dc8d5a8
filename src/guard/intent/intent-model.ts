/** The classifier of the guard: how likely a text is an instruction to a model. */
import { addFeatures, Features } from './features.ts';
import { eachSentence, MAX_STRETCH } from './sentences.ts';

export interface IntentTable {
  readonly weights: Int8Array;
  /** What one step of a weight means. */
  readonly scale: number;
  readonly bias: number;
}

/** Sentences beyond these are judged a part at a time. */
const MAX_TOGETHER = 6;

/** A text of a few words has too few features to be sure of anything. */
export const FEW = 60;
/** Below this there is nothing to judge: two or three words. */
const LEAST = 20;

const features = new Features();

/**
 * The highest log-odds of any stretch of sentences. A stretch is the sum of its features' weights over about the root of their number, so
 * a sentence is read once, however many stretches it is a part of.
 */
export function intentOf(text: string, { weights, scale, bias }: IntentTable): number {
  let best = Number.NEGATIVE_INFINITY;
  const sums: number[] = [];
  const counts: number[] = [];
  const lengths: number[] = [];
  eachSentence(text, (start, end) => {
    features.count = 0;
    addFeatures(text, start, end, features);
    if (features.count === 0) return;
    let own = 0;
    for (let i = 0; i < features.count; i++) own += weights[features.rows[i]!]!;
    if (sums.length === MAX_TOGETHER) {
      sums.shift();
      counts.shift();
      lengths.shift();
    }
    sums.push(own);
    counts.push(features.count);
    lengths.push(end - start);
    let [sum, count, length] = [0, 0, 0];
    for (let i = sums.length - 1; i >= 0; i--) {
      sum += sums[i]!;
      count += counts[i]!;
      length += lengths[i]!;
      if (length > MAX_STRETCH && i < sums.length - 1) break;
      if (count < LEAST) continue;
      const odds = (sum * scale) / Math.sqrt(count + FEW) + bias;
      if (odds > best) best = odds;
    }
  });
  return best;
}

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
/** The same for what the words mean: there are fewer of these. */
export const FEW_MEANT = 24;
/** Below this there is nothing to judge: two or three words. */
const LEAST = 20;

const features = new Features();

interface Sentence {
  readonly worded: number;
  readonly count: number;
  readonly meant: number;
  readonly meantCount: number;
  readonly length: number;
}

function readSentence(text: string, start: number, end: number, weights: Int8Array): Sentence {
  features.clear();
  addFeatures(text, start, end, features);
  const { rows, count, meantCount } = features;
  let [worded, meant] = [0, 0];
  for (let i = 0; i < count; i++) worded += weights[rows[i]!]!;
  for (let i = 0; i < meantCount; i++) meant += weights[features.meant[i]!]!;
  return { worded, count, meant, meantCount, length: end - start };
}

/**
 * The highest log-odds of any stretch of sentences. A stretch is the sum of its features' weights over about the root of their number, so
 * a sentence is read once, however many stretches it is a part of.
 */
export function intentOf(text: string, { weights, scale, bias }: IntentTable): number {
  let best = Number.NEGATIVE_INFINITY;
  const sentences: Sentence[] = [];
  eachSentence(text, (start, end) => {
    const last = readSentence(text, start, end, weights);
    if (last.count === 0) return;
    if (sentences.length === MAX_TOGETHER) sentences.shift();
    sentences.push(last);
    let [worded, count, meant, meantCount, length] = [0, 0, 0, 0, 0];
    for (let i = sentences.length - 1; i >= 0; i--) {
      const sentence = sentences[i]!;
      worded += sentence.worded;
      count += sentence.count;
      meant += sentence.meant;
      meantCount += sentence.meantCount;
      length += sentence.length;
      if (length > MAX_STRETCH && i < sentences.length - 1) break;
      if (count + meantCount < LEAST) continue;
      const sum = worded / Math.sqrt(count + FEW) + meant / Math.sqrt(meantCount + FEW_MEANT);
      const odds = sum * scale + bias;
      if (odds > best) best = odds;
    }
  });
  return best;
}

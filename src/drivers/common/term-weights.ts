/** Counts the words of a text for BM25; words of labels count less than those of the text itself. */
import { analyze } from '../../kernel/analysis.ts';

export interface WeighedText {
  /** Each once, in the order in which they first appear. */
  readonly words: readonly string[];
  /** How often the word of the same place counts. */
  readonly frequencies: readonly number[];
  /** All words, repeats included. */
  readonly length: number;
}

const LABEL_WEIGHT = 0.6;

export function weigh(body: string, labels: readonly string[] = []): WeighedText {
  const frequencies = new Map<string, number>();
  let length = 0;
  // Added one by one, so that the sums are rounded as FTS5 rounds them.
  const count = (text: string, weight: number): void => {
    for (const word of analyze(text)) {
      frequencies.set(word, (frequencies.get(word) ?? 0) + weight);
      length++;
    }
  };
  count(body, 1);
  count(labels.join(' '), LABEL_WEIGHT);
  return { words: [...frequencies.keys()], frequencies: [...frequencies.values()], length };
}

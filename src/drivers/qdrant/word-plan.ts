/** Decides whether Qdrant indexes words, and when that index must be rebuilt. */
import { ANALYSIS_VERSION } from '../../kernel/analysis.ts';
import type { WordFeed } from '../../ports/word-feed.ts';
import type { Shape } from './shape.ts';
import { type WordSpace, wordSpace } from './word-space.ts';

/** Below this, the main storage searches just as fast by itself. */
const WORTH_IT = 2_000;
/** When the average length of texts has changed by this factor, the scores of Qdrant are too rough. */
const OUTGROWN = 1.5;
/** Of fewer texts, Qdrant may name nearly all. */
const FEW = 1_000;

export interface WordOptions {
  /** Whether Qdrant finds words, too, where the main storage gains by that. */
  readonly words?: boolean | undefined;
  /** From how many texts on. */
  readonly wordsFrom?: number | undefined;
}

export class WordPlan {
  /** Of the main storage, when words are searched outside of it at all. */
  readonly feed: WordFeed | undefined;
  readonly #from: number;
  /** Whether the last collection that was read has words. */
  isUsed = false;

  constructor(feed: WordFeed | undefined, { words = true, wordsFrom = WORTH_IT }: WordOptions) {
    this.feed = words ? feed : undefined;
    this.#from = wordsFrom;
  }

  /** For a collection that is about to be created. */
  async space(): Promise<WordSpace | undefined> {
    const { texts, length } = (await this.feed?.typical()) ?? { texts: 0, length: 0 };
    return texts === 0 || texts < this.#from ? undefined : wordSpace(length);
  }

  /** Whether a collection of this shape should be rebuilt. */
  async isOutgrown({ words }: Shape): Promise<boolean> {
    if (this.feed === undefined) return false;
    this.isUsed = words?.version === ANALYSIS_VERSION;
    const { texts, length } = await this.feed.typical();
    if (words === undefined) return texts > 0 && texts >= this.#from;
    // Do not rebuild what a newer version of Keepsake has made.
    if (words.version !== ANALYSIS_VERSION) return words.version < ANALYSIS_VERSION;
    const ratio = length / words.typicalLength;
    return texts >= FEW && Math.max(ratio, 1 / ratio) > OUTGROWN;
  }
}

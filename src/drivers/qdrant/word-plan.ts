/** Whether Qdrant is to know words, and when what it knows of them has to be made anew. */
import { ANALYSIS_VERSION } from '../../kernel/analysis.ts';
import type { WordFeed } from '../../ports/word-feed.ts';
import type { Shape } from './shape.ts';
import { type WordSpace, wordSpace } from './word-space.ts';

/** Fewer texts are searched by the engine itself in no more time. */
const WORTH_IT = 2_000;
/** Texts that are on average so many times as long or short as they were make what Qdrant says too vague. */
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
  /** Whether a collection with words was there when one was last looked at. */
  isUsed = false;

  constructor(feed: WordFeed | undefined, { words = true, wordsFrom = WORTH_IT }: WordOptions) {
    this.feed = words ? feed : undefined;
    this.#from = wordsFrom;
  }

  /** For a collection that is about to be made. */
  async space(): Promise<WordSpace | undefined> {
    const { texts, length } = (await this.feed?.typical()) ?? { texts: 0, length: 0 };
    return texts === 0 || texts < this.#from ? undefined : wordSpace(length);
  }

  /** Whether a collection of this shape should be made anew. */
  async isOutgrown({ words }: Shape): Promise<boolean> {
    if (this.feed === undefined) return false;
    this.isUsed = words?.version === ANALYSIS_VERSION;
    const { texts, length } = await this.feed.typical();
    if (words === undefined) return texts > 0 && texts >= this.#from;
    // What a newer Keepsake has made is left to it.
    if (words.version !== ANALYSIS_VERSION) return words.version < ANALYSIS_VERSION;
    const ratio = length / words.typicalLength;
    return texts >= FEW && Math.max(ratio, 1 / ratio) > OUTGROWN;
  }
}

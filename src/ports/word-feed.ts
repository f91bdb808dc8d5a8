/** Port: what an external index needs to search words; the engine computes the scores. */
import type { TextCandidate, TextQuery } from './record-store.ts';
import type { FeedModel, FeedPosition } from './vector-feed.ts';

export interface WordsPosition extends FeedPosition {
  /** The one model that has vectors: only a record with a vector is outside. Undefined when there is none, or several. */
  readonly model: Pick<FeedModel, 'id' | 'dimensions'> | undefined;
  /** How many records have no vector, counted no further than the limit. */
  readonly vectorless: number;
  /** What each of the words that some text holds is worth. */
  readonly rarities: ReadonlyMap<string, number>;
  /** Words of a text on average: a word counts for more in a shorter one. */
  readonly typicalLength: number;
}

export interface Among {
  /** Numbers of states; those that are not the newest of their record are left out. */
  readonly changes: readonly number[];
  /** Records that were not outside. */
  readonly ids: readonly string[];
  /** Whatever changed after this number is looked at as well, and whatever has no vector. */
  readonly since: number;
  /** What the words were taken to be worth. */
  readonly rarities: ReadonlyMap<string, number>;
}

export interface BestAmong {
  readonly candidates: readonly TextCandidate[];
  readonly typicalLength: number;
  /** By how much the words are worth more by now than they were taken to be, together. */
  readonly dearer: number;
}

export interface WordFeed {
  /** How many texts there are, and how many words they have on average. */
  typical(): Promise<{ readonly texts: number; readonly length: number }>;
  /** As the position of the vectors. */
  position(terms: readonly string[], limit: number): Promise<WordsPosition | undefined>;
  /** The best of the given records as they are now, with the scores of a search among all. */
  bestAmong(query: TextQuery, among: Among): Promise<BestAmong>;
  /** Ends the attachment with this identity and begins another one, so that everything is carried again. */
  renew(identity: string): Promise<void>;
}

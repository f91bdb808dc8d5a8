/** Text search through Qdrant: it names candidates, and the main storage checks them and computes the exact score. */
import { ANALYSIS_VERSION } from '../../kernel/analysis.ts';
import type { TextCandidate, TextQuery } from '../../ports/record-store.ts';
import type { WordFeed, WordsPosition } from '../../ports/word-feed.ts';
import type { Carrier } from './carrier.ts';
import { Missing } from './client.ts';
import type { Collections, ScoredPoint } from './collections.ts';
import { type Condition, conditionsOf } from './payload.ts';
import { sparseQuestion, type WordSpace } from './word-space.ts';

/** Up to so many texts that are not in Qdrant are scored one by one; with more, the main storage searches alone. */
const MOST_WAITING = 500;
/** Of so many more than are wanted Qdrant tells the score, which costs it little, */
const PAGE = 4;
/** and so many of them more than need be are weighed: some may have gone or changed. */
const SPARE = 8;
/** Where many score alike, so many times more are looked at once. */
const GROWTH = 4;
/** Qdrant adds up with seven digits. */
const ROUNDING = 1e-5;

export interface WordSearchParts {
  readonly feed: WordFeed;
  readonly collections: Collections;
  readonly carrier: Carrier;
}

interface Asked {
  readonly name: string;
  readonly space: WordSpace;
  readonly must: readonly Condition[];
  readonly position: WordsPosition;
}

export class WordSearch {
  readonly #feed: WordFeed;
  readonly #collections: Collections;
  readonly #carrier: Carrier;

  constructor({ feed, collections, carrier }: WordSearchParts) {
    this.#feed = feed;
    this.#collections = collections;
    this.#carrier = carrier;
  }

  /** Undefined: Qdrant cannot tell. */
  async search(query: TextQuery): Promise<readonly TextCandidate[] | undefined> {
    const must = conditionsOf(query);
    if (must === undefined || query.limit < 1 || query.terms.length === 0) return [];
    if (!this.#collections.health.isUp) return undefined;
    const position = await this.#feed.position(query.terms, MOST_WAITING + 1);
    if (position?.model === undefined) return undefined;
    if (position.waiting.length + position.vectorless > MOST_WAITING) return undefined;
    const name = this.#collections.nameOf(position.identity, position.model);
    const space = await this.#outside(async () => (await this.#collections.shape(name)).words);
    if (space === undefined || space.version !== ANALYSIS_VERSION) return undefined;
    return this.#through({ name, space, must, position }, query);
  }

  async #through(asked: Asked, query: TextQuery): Promise<readonly TextCandidate[] | undefined> {
    const { position, space } = asked;
    for (let limit = PAGE * query.limit + SPARE, attempt = 0; attempt < 2; limit *= GROWTH, attempt++) {
      const page = await this.#points(asked, limit);
      if (page === undefined) return undefined;
      const isAll = page.length < limit;
      const count = isAll && attempt > 0 ? page.length : likely(page, query.limit, position, space);
      const rest = page[count]?.score ?? (isAll ? 0 : page.at(-1)!.score);
      // All of them score alike, to the end of the page.
      if (!isAll && count === page.length && rest >= page[query.limit - 1]!.score * (1 - ROUNDING)) continue;
      const { candidates, typicalLength, dearer } = await this.#feed.bestAmong(query, {
        changes: page.slice(0, count).map(({ id }) => id),
        ids: position.waiting.map(({ id }) => id),
        since: position.last,
        rarities: position.rarities,
      });
      if (isAll && count === page.length) return candidates;
      // No other text can score more than this.
      const most = rest * (1 + ROUNDING) * Math.max(1, typicalLength / space.typicalLength) + dearer;
      const worst = candidates[query.limit - 1]?.textScore ?? 0;
      if (worst > most) return candidates;
    }
    return undefined;
  }

  #points({ name, space, must, position }: Asked, limit: number): Promise<ScoredPoint[] | undefined> {
    const question = sparseQuestion(position.rarities);
    if (question.indices.length === 0) return Promise.resolve([]);
    const without = position.waiting.flatMap(({ carried }) => (carried === 0 ? [] : [carried]));
    return this.#outside(() => this.#collections.best(name, space, question, must, { limit, without }));
  }

  async #outside<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof Missing) this.#carrier.suspect();
      return undefined;
    }
  }
}

/**
 * How many of the page may be among the best. Texts are longer or shorter by now than Qdrant takes them to be, which changes
 * each score by no more than the ratio of the two lengths.
 */
function likely(
  page: readonly ScoredPoint[],
  wanted: number,
  { typicalLength }: WordsPosition,
  space: WordSpace,
): number {
  const least = page[wanted - 1]?.score;
  if (least === undefined) return page.length;
  const ratio = typicalLength / space.typicalLength;
  const floor = least * Math.min(ratio, 1 / ratio) * (1 - ROUNDING);
  const below = page.findIndex(({ score }) => score < floor);
  return below === -1 ? page.length : Math.min(page.length, Math.max(below, wanted + SPARE));
}

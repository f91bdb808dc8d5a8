/** Keeps the results of swarms in a collection of their own as well, where other programs find and filter them. */
import type { FeedModel, VectorChange, VectorFeed } from '../../ports/vector-feed.ts';
import { Missing } from './client.ts';
import type { Collections } from './collections.ts';
import { isResult, RESULT_FIELDS } from './payload.ts';

export class ResultsCopy {
  readonly #feed: VectorFeed;
  readonly #collections: Collections;

  constructor(feed: VectorFeed, collections: Collections) {
    this.#feed = feed;
    this.#collections = collections;
  }

  /** After the same changes were put into the collection of all memories. */
  async put(identity: string, model: FeedModel, changes: readonly VectorChange[]): Promise<void> {
    const results = changes.filter(isResult);
    if (results.length === 0) return;
    await this.#collections.putResults(await this.#ensure(identity, model), results);
  }

  /** Queues results that the copy lacks, and removes those that the collection of all memories does not have. */
  async repair(identity: string, model: FeedModel): Promise<number> {
    const wanted = new Set(await this.#collections.results(this.#collections.nameOf(identity, model)));
    const present = await this.#present(this.#collections.resultsOf(identity, model));
    const missing = [...wanted].filter((id) => !present.includes(id));
    const extra = present.filter((id) => !wanted.has(id));
    if (missing.length > 0) {
      await this.#ensure(identity, model);
      await this.#feed.recarry(model.id, missing);
    }
    if (extra.length > 0) await this.#collections.remove(this.#collections.resultsOf(identity, model), extra);
    return missing.length + extra.length;
  }

  async #present(name: string): Promise<number[]> {
    try {
      return await this.#collections.results(name);
    } catch (error) {
      if (error instanceof Missing) return [];
      throw error;
    }
  }

  async #ensure(identity: string, model: FeedModel): Promise<string> {
    const name = this.#collections.resultsOf(identity, model);
    await this.#collections.ensure(name, model.dimensions, {
      // Of a version before this collection, or lost with it.
      before: async () => {
        const earlier = await this.#collections.results(this.#collections.nameOf(identity, model));
        if (earlier.length > 0) await this.#feed.recarry(model.id, earlier);
      },
      words: async () => undefined,
      fields: RESULT_FIELDS,
    });
    await this.#collections.nameResults(identity, name);
    return name;
  }
}

/** Carries changes from the main storage to Qdrant in the background, in batches, for as long as it takes. */
import { toKeepsakeError } from '../../kernel/errors.ts';
import type { FeedModel, VectorChange, VectorFeed } from '../../ports/vector-feed.ts';
import { Missing } from './client.ts';
import type { Collections } from './collections.ts';
import { repair } from './compare.ts';
import { ResultsCopy } from './results.ts';
import type { WordPlan } from './word-plan.ts';

const BATCH = 256;
/** Changes of other processes are noticed within this time; our own are carried at once. */
const LOOK_MS = 1_000;
/** After so many batches, checks whether the index still has the right shape: while much is written, batches never end. */
const MOST_BATCHES = 8;
const SHORTEST_PAUSE_MS = 100;
/** A server that is back must be used within five seconds, so it is asked again well before. */
const LONGEST_PAUSE_MS = 1_000;
/** How long a process that ends may take to carry its last changes; the next one carries what remains. */
const LAST_MS = 1_000;

export class Carrier {
  readonly #feed: VectorFeed;
  readonly #collections: Collections;
  readonly #plan: WordPlan;
  /** Of the results of swarms. */
  readonly results: ResultsCopy;
  #wake: (() => void) | undefined;
  #hasNews = true;
  #isSuspect = false;
  #problem: string | undefined;
  #identity: string | undefined;
  #isClosing = false;
  #running: Promise<void> | undefined;

  constructor(feed: VectorFeed, collections: Collections, plan: WordPlan) {
    this.#feed = feed;
    this.#collections = collections;
    this.#plan = plan;
    this.results = new ResultsCopy(feed, collections);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** A search did not find what it should have. */
  suspect(): void {
    this.#isSuspect = true;
    this.nudge();
  }

  /** Something was written. */
  nudge(): void {
    this.#hasNews = true;
    this.#wake?.();
  }

  /** Why the last attempt failed, of Qdrant or of the main storage. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Carries everything that waits now; fails when Qdrant does not answer. */
  async carryAll(until: () => boolean = () => false): Promise<void> {
    const { identity } = await this.#attached();
    for (;;) {
      const changes = await this.#feed.waiting(BATCH);
      if (changes.length === 0 || until()) return;
      await this.#carry(identity, changes);
      await this.#feed.confirm(
        identity,
        changes.map(({ change }) => change),
      );
    }
  }

  /** Once nothing is under way any more; the caller then closes what this uses. */
  async close(cut: () => void): Promise<void> {
    this.#isClosing = true;
    this.nudge();
    // Do not wait for a server that did not answer a moment ago.
    const timer = setTimeout(cut, this.#collections.health.isUp ? LAST_MS : 0);
    await this.#running;
    try {
      if (this.#collections.health.isUp && (await this.#feed.backlog()) > 0) await this.carryAll();
    } catch {
      // It waits in the main storage.
    }
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    let pause = SHORTEST_PAUSE_MS;
    let isFirst = true;
    while (!this.#isClosing) {
      if (!this.#collections.health.isUp) this.#isSuspect = true;
      try {
        this.#hasNews = false;
        // A small request first: a large one has a long timeout, and would wait for a server that is down.
        if (this.#isSuspect) await this.#collections.probe();
        const isAll = await this.#carrySome();
        this.#hasNews ||= !isAll;
        if (this.#isSuspect && isAll) await this.#verify();
        const outgrown = await this.#outgrown();
        // Not by a command, which ends before it could carry what then waits.
        if (outgrown !== undefined && !isFirst && !this.#isClosing) await this.#remake(outgrown);
        pause = SHORTEST_PAUSE_MS;
        this.#problem = undefined;
        await this.#rest(LOOK_MS, true);
        // Once for a process that lives longer than a command.
        this.#isSuspect ||= isFirst;
        isFirst = false;
      } catch (error) {
        this.#problem = toKeepsakeError(error).message;
        this.#isSuspect = true;
        await this.#rest(pause, false);
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
    }
  }

  /** Resolves to true if nothing waits any more. */
  async #carrySome(): Promise<boolean> {
    let batches = 0;
    await this.carryAll(() => this.#isClosing || ++batches > MOST_BATCHES);
    return batches <= MOST_BATCHES;
  }

  /** The identity of an index that has no words and should, or words of another analysis than the present one. */
  async #outgrown(): Promise<string | undefined> {
    const position = await this.#plan.feed?.position([], 0);
    if (position?.model === undefined) return undefined;
    const { identity, model } = position;
    try {
      const shape = await this.#collections.shape(this.#collections.nameOf(identity, model));
      return (await this.#plan.isOutgrown(shape)) ? identity : undefined;
    } catch (error) {
      // It will be made as it should be.
      if (error instanceof Missing) return undefined;
      throw error;
    }
  }

  /** Begins another index; until it is filled, the main storage searches. */
  async #remake(identity: string): Promise<void> {
    // First, so that none of them is left over.
    for (const name of await this.#collections.namesOf(identity)) await this.#collections.drop(name);
    await this.#plan.feed!.renew(identity);
    this.#hasNews = true;
  }

  /** A restore has ended the attachment of those who were attached. */
  async #attached(): Promise<{ readonly identity: string }> {
    const { identity } = (await this.#feed.position(0)) ?? (await this.#feed.attach());
    const before = this.#identity;
    if (before !== undefined && before !== identity) {
      for (const name of await this.#collections.namesOf(before)) await this.#collections.drop(name);
    }
    this.#identity = identity;
    return { identity };
  }

  async #carry(identity: string, changes: readonly VectorChange[]): Promise<void> {
    const models = await this.#feed.models();
    const nameOf = (model: FeedModel): string => this.#collections.nameOf(identity, model);
    for (const model of models) {
      const own = changes.filter(({ vector }) => vector?.model === model.id);
      if (own.length === 0) continue;
      await this.#ensure(identity, model);
      await this.#collections.put(nameOf(model), own);
      await this.results.put(identity, model, own);
    }
    const older = changes.filter(({ isFirst }) => !isFirst);
    if (older.length === 0) return;
    const names = models.flatMap((model) => [nameOf(model), this.#collections.resultsOf(identity, model)]);
    for (const name of names) {
      try {
        await this.#collections.removeOlder(name, older);
      } catch (error) {
        // No vector of this model was ever carried.
        if (!(error instanceof Missing)) throw error;
      }
    }
  }

  /** A collection that does not exist holds nothing of what was carried into it. */
  async #ensure(identity: string, model: FeedModel): Promise<void> {
    const name = this.#collections.nameOf(identity, model);
    await this.#collections.ensure(name, model.dimensions, {
      before: () => this.#feed.recarry(model.id),
      words: () => this.#plan.space(),
    });
  }

  /** Finds what Qdrant has lost: an older snapshot of it may have been brought back, or its disk replaced. */
  async #verify(): Promise<void> {
    this.#isSuspect = false;
    const { identity } = await this.#attached();
    const compared = { feed: this.#feed, collections: this.#collections, identity };
    for (const model of await this.#feed.models()) {
      if (model.vectors === 0) continue;
      await this.#ensure(identity, model);
      const name = this.#collections.nameOf(identity, model);
      const isWhole =
        (await this.#collections.count(name)) === model.vectors &&
        (await this.#collections.wordless(name)).length === 0;
      if (!isWhole) await repair(compared, model);
      await this.results.repair(identity, model);
    }
    await this.carryAll(() => this.#isClosing);
  }

  #rest(milliseconds: number, mayWake: boolean): Promise<void> {
    if (this.#isClosing || (mayWake && this.#hasNews)) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      // This alone does not keep a process alive.
      const timer = setTimeout(done, milliseconds).unref();
      this.#wake = () => {
        if (mayWake || this.#isClosing) done();
      };
    });
  }
}

/** Compares questions with records token by token, where a model for that is in use; makes the vectors in the background. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { Cooldown } from '../kernel/cooldown.ts';
import { KeepsakeError, toKeepsakeError } from '../kernel/errors.ts';
import type { LeaseRunner } from '../leases/index.ts';
import type { TokenModel, TokenVectors } from '../ports/token-model.ts';
import type { TokenStore } from '../ports/token-store.ts';

export interface LateInteractionParts {
  /** Undefined where the engine cannot store token vectors. */
  readonly store: TokenStore | undefined;
  readonly open: () => Promise<TokenModel>;
  /** Without them, nobody else has the store open. */
  readonly leaseRunner?: LeaseRunner;
  readonly clock?: Clock;
  /** How long a search waits for the model. */
  readonly patienceMs?: number;
}

export interface LateInteractionHealth {
  /** Null when the model cannot be opened. */
  readonly model: string | null;
  readonly encoded: number;
  readonly waiting: number;
  /** Why the last attempt failed, if it did. */
  readonly problem: string | null;
}

const BATCH_SIZE = 8;
/** One that died in the middle of a batch holds up the others for so long. */
const LEASE_MS = 10_000;
const LOOK_MS = 250;
/** Adds that come one after another are encoded together: the next one is the neighbour of the one before. */
const WAKE_MS = 100;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const PATIENCE_MS = 10_000;
const COOLDOWN_MS = 20_000;
/** A search waits until its question is read, and every token of it is compared with every token of 50 records. */
const QUESTION_PASSAGES = 1;

export class LateInteraction {
  readonly #parts: LateInteractionParts;
  readonly #patienceMs: number;
  readonly #cooldown: Cooldown;
  readonly #stop = new AbortController();
  #opening: Promise<TokenModel> | undefined;
  #model: TokenModel | undefined;
  #question: { readonly text: string; readonly vectors: Promise<TokenVectors> } | undefined;
  #working: Promise<unknown> = Promise.resolve();
  #pause: NodeJS.Timeout | undefined;
  #problem: string | null = null;
  #failure: KeepsakeError | undefined;

  constructor(parts: LateInteractionParts) {
    this.#parts = parts;
    this.#patienceMs = parts.patienceMs ?? PATIENCE_MS;
    this.#cooldown = new Cooldown(parts.clock ?? systemClock, COOLDOWN_MS);
  }

  /** How well records match a question, by their ids; without those that wait. Undefined when it cannot be told; `onFailure` says why. */
  async matches(
    query: string,
    ids: readonly string[],
    onFailure: (why: KeepsakeError) => void,
  ): Promise<ReadonlyMap<string, number> | undefined> {
    if (this.#cooldown.isOn) {
      if (this.#failure !== undefined) onFailure(this.#failure);
      return undefined;
    }
    try {
      const found = await this.#inTime(this.#matches(query, ids));
      this.#failure = undefined;
      this.wake();
      return found;
    } catch (error) {
      this.#cooldown.beginAfter(error);
      // It may never come.
      this.#question = undefined;
      this.#failed(error);
      this.#failure = toKeepsakeError(error);
      onFailure(this.#failure);
      return undefined;
    }
  }

  /** Something was stored or changed: encode it soon, in the background. */
  wake(): void {
    if (this.#parts.store === undefined || this.#stop.signal.aborted || this.#pause !== undefined) return;
    this.#sleep(WAKE_MS, FIRST_PAUSE_MS);
  }

  /** Encodes all that waits. Says how many records it encoded. */
  drain(onProgress?: (progress: { readonly done: number; readonly total: number }) => void): Promise<number> {
    const mine = this.#working.then(() => this.#drain(onProgress));
    this.#working = mine.catch(() => undefined);
    return mine;
  }

  async health(): Promise<LateInteractionHealth> {
    const { store } = this.#parts;
    const { encoded = 0, waiting = 0 } = (await store?.backlog()) ?? {};
    try {
      const { id } = await this.#ready();
      return { model: id, encoded, waiting, problem: this.#problem };
    } catch (error) {
      return { model: null, encoded, waiting, problem: toKeepsakeError(error).message };
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#pause);
    await this.#working;
    await this.#model?.close?.();
  }

  get #store(): TokenStore {
    const { store } = this.#parts;
    if (store !== undefined) return store;
    throw new KeepsakeError(
      'UNSUPPORTED',
      'Late interaction needs SQLite: this engine has no token vectors.',
      {
        hint: 'Set models.lateInteraction to "none", or store memories in SQLite.',
      },
    );
  }

  async #ready(): Promise<TokenModel> {
    this.#opening ??= this.#open();
    try {
      return await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  async #open(): Promise<TokenModel> {
    const store = this.#store;
    this.#model ??= await this.#parts.open();
    await store.use(this.#model);
    return this.#model;
  }

  async #matches(query: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const model = await this.#ready();
    // A search that looks among documents and among the rest asks three times.
    if (this.#question?.text !== query) {
      const asked = { text: query, before: [], after: undefined, mostPassages: QUESTION_PASSAGES };
      const vectors = model.encode([asked]).then(([first]) => first!);
      this.#question = { text: query, vectors };
      vectors.catch(() => {
        this.#question = undefined;
      });
    }
    return this.#store.matches(ids, model, await this.#question.vectors);
  }

  async #drain(
    onProgress?: (progress: { readonly done: number; readonly total: number }) => void,
  ): Promise<number> {
    const model = await this.#ready();
    const total = onProgress === undefined ? 0 : (await this.#store.backlog()).waiting;
    let done = 0;
    while (!this.#stop.signal.aborted) {
      const made = await this.#inTurn(() => this.#batch(model));
      if (made === 0) break;
      if (made === undefined) {
        await sleep(LOOK_MS, undefined, { signal: this.#stop.signal }).catch(() => {});
        continue;
      }
      done += made;
      onProgress?.({ done, total: Math.max(total, done) });
    }
    return done;
  }

  /** Undefined while another process does it. */
  async #inTurn(work: () => Promise<number>): Promise<number | undefined> {
    const { leaseRunner } = this.#parts;
    // Asking whose turn it is would be a write for every search that wakes this.
    if (leaseRunner === undefined || !(await this.#store.hasWaiting())) return work();
    return (await leaseRunner.attempt('token-vectors', work, { spanMs: LEASE_MS }))?.value;
  }

  async #batch(model: TokenModel): Promise<number> {
    const batch = await this.#store.waiting(model, BATCH_SIZE);
    if (batch.length === 0) return 0;
    const made = await model.encode(batch, this.#stop.signal);
    const drafts = batch.map(({ id, basis }, i) => ({ id, basis, vectors: made[i]! }));
    await this.#store.save(model, drafts);
    this.#problem = null;
    return batch.length;
  }

  #sleep(milliseconds: number, next: number): void {
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      this.drain().catch((error: unknown) => {
        this.#failed(error);
        // Without files or an engine for it, another attempt fails as well until something is installed: a search tries again.
        if (KeepsakeError.is(error) && !isPassing(error)) return;
        if (!this.#stop.signal.aborted && this.#pause === undefined)
          this.#sleep(next, Math.min(2 * next, LONGEST_PAUSE_MS));
      });
    }, milliseconds).unref();
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const seconds = this.#patienceMs / 1_000;
        reject(
          new KeepsakeError(
            'TIMEOUT',
            `The model for late interaction did not answer within ${seconds} seconds.`,
            {
              hint: 'Run "keepsake doctor" to try it again.',
            },
          ),
        );
      }, this.#patienceMs);
    });
    return Promise.race([work, late]).finally(() => clearTimeout(timer));
  }

  #failed(error: unknown): void {
    if (!this.#stop.signal.aborted) this.#problem = toKeepsakeError(error).message;
  }
}

const LASTING: ReadonlySet<KeepsakeError['code']> = new Set(['NOT_FOUND', 'UNSUPPORTED', 'CORRUPT']);
const isPassing = ({ code }: KeepsakeError): boolean => !LASTING.has(code);

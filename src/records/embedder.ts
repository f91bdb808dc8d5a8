/** Computes vectors of records: directly if the model is available, otherwise from a queue in the store. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { Cooldown } from '../kernel/cooldown.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { LeaseRunner } from '../leases/index.ts';
import type { EmbeddingKind, EmbeddingModel } from '../ports/embedding-model.ts';
import type { Embedding, EmbeddingBacklog, Unembedded, VectorStore } from '../ports/record-store.ts';
import { dot } from './dot-product.ts';
import { ModelInUse, type ModelInUseParts } from './model-in-use.ts';
import { PastTexts } from './past-texts.ts';
import { type ReEmbedParts, type ReEmbedReport, reEmbed } from './re-embedding.ts';
import { makeDrafts } from './vector-drafts.ts';

export interface EmbedderParts extends Omit<ModelInUseParts, 'stop'> {
  /** Without them, nobody else has the store open. */
  readonly leaseRunner?: LeaseRunner;
  /** How long a search waits for a model before it uses words alone. */
  readonly patienceMs?: number;
  /** For the time that a model which does not answer is left alone. */
  readonly clock?: Clock;
}

export interface EmbeddingProgress {
  readonly done: number;
  readonly total: number;
}

export interface EmbeddingHealth extends EmbeddingBacklog {
  /** Null when it cannot be opened. */
  readonly model: string | null;
  /** Why the last attempt failed, if it did. */
  readonly problem: string | null;
}

/** What a search does before it looks, so that what was just stored is found by meaning too. */
const CATCH_UP = 2_000;
/** How often to look whether another process that makes vectors is done with its batch. */
const LOOK_MS = 250;
/** One that died in the middle of a batch holds up the others for so long; a batch too many does no harm. */
const TURN_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A local model may have to be loaded first; a server that takes longer is as good as gone. */
const PATIENCE_MS = 10_000;
/** A model that did not answer is not asked again for so long. */
const COOLDOWN_MS = 20_000;
const RE_EMBEDDING = 're-embedding';

interface Batch {
  readonly made: number;
  readonly last?: string | undefined;
  /** Another process makes vectors just now. */
  readonly isTaken?: boolean;
}

export class Embedder {
  readonly #vectors: VectorStore;
  readonly #leaseRunner: LeaseRunner | undefined;
  readonly #open: EmbedderParts['open'];
  readonly #patienceMs: number;
  readonly #stop = new AbortController();
  readonly #models: ModelInUse;
  /** Settles when all batches that were asked for are done. */
  #lastTurn: Promise<unknown> = Promise.resolve();
  readonly #compared = new WeakMap<object, Embedding>();
  #past: PastTexts | undefined;
  #pause: NodeJS.Timeout | undefined;
  #problem: string | null = null;
  /** Why questions cannot be embedded while the cooldown lasts. */
  #queryFailure: KeepsakeError | undefined;
  /** Questions and stored texts fail apart: a long batch may be too much for a server that answers a question. */
  readonly #cooldown: Readonly<Record<EmbeddingKind, Cooldown>>;

  constructor(parts: EmbedderParts) {
    const { vectors, leaseRunner, open, openStored, patienceMs = PATIENCE_MS, clock = systemClock } = parts;
    this.#vectors = vectors;
    this.#leaseRunner = leaseRunner;
    this.#open = open;
    this.#models = new ModelInUse({ vectors, open, openStored, stop: this.#stop.signal });
    this.#patienceMs = patienceMs;
    this.#cooldown = { query: new Cooldown(clock, COOLDOWN_MS), document: new Cooldown(clock, COOLDOWN_MS) };
  }

  /** The model in use, once it is open: how its similarities are to be read, and what it knows of single words. */
  get model(): Pick<EmbeddingModel, 'id' | 'calibration' | 'wordNow'> | undefined {
    return this.#models.now;
  }

  /** The vector of a text that is about to be stored, if the model is open and makes it in no time. */
  now(text: string): Embedding | undefined {
    const model = this.#models.now;
    if (model?.embedNow === undefined) return undefined;
    try {
      return { model: model.id, vector: model.embedNow(text) };
    } catch (error) {
      // The text is stored all the same, and waits.
      this.#failed(error);
      return undefined;
    }
  }

  /** The vector of a question; undefined without a model, when the model fails (`onFailure` says why), and when it knows no word of the question. */
  async query(text: string, onFailure?: (why: KeepsakeError) => void): Promise<Embedding | undefined> {
    if (this.#open === undefined || text.trim() === '') return undefined;
    if (this.#cooldown.query.isOn) {
      if (this.#queryFailure !== undefined) onFailure?.(this.#queryFailure);
      return undefined;
    }
    try {
      const question = await this.#inTime(this.#question(text));
      await this.#catchUpInTime();
      // Another process may have gone over to another model meanwhile.
      const isOld = question !== undefined && question.model !== this.#models.now?.id;
      const answer = isOld ? await this.#inTime(this.#question(text)) : question;
      this.#queryFailure = undefined;
      return answer;
    } catch (error) {
      this.#cooldown.query.beginAfter(error);
      this.#failed(error);
      this.#queryFailure = this.#models.explain(error);
      onFailure?.(this.#queryFailure);
      return undefined;
    }
  }

  /** How close a text that has no stored vector is to a question, if that can be told at once. Its vector is kept with its owner. */
  compare(text: string, { model, vector }: Embedding, owner?: object): number | null {
    const known = owner === undefined ? undefined : this.#compared.get(owner);
    const own = known?.model === model ? known : this.now(text);
    if (own === undefined) return null;
    if (owner !== undefined && own !== known) this.#compared.set(owner, own);
    return dot(own.vector, vector);
  }

  /**
   * The same for many texts, with any model. One that takes its time makes the vectors of one batch now, and of another
   * one with the next question; they are kept while the process lives. Null where nothing can be told yet.
   */
  async compareAll(texts: readonly string[], question: Embedding): Promise<readonly (number | null)[]> {
    const model = this.#models.now;
    if (model === undefined || model.id !== question.model) return texts.map(() => null);
    if (model.embedNow !== undefined) return texts.map((text) => this.compare(text, question));
    if (this.#past?.model !== model.id) this.#past = new PastTexts(model.id);
    const past = this.#past;
    if (!this.#cooldown.document.isOn) {
      const embed = (some: readonly string[]) => this.#embed(model, some, 'document');
      await this.#inTime(past.make(texts, model.batchSize, embed)).catch((error: unknown) => {
        this.#cooldown.document.beginAfter(error);
        this.#failed(error);
      });
    }
    return texts.map((text) => {
      const vector = past.of(text);
      return vector === undefined ? null : dot(vector, question.vector);
    });
  }

  /** The vectors of texts that are stored elsewhere; undefined without a model, and while it does not answer. */
  async documents(texts: readonly string[]): Promise<readonly Embedding[] | undefined> {
    if (this.#open === undefined || this.#cooldown.document.isOn) return undefined;
    try {
      const model = await this.#models.ready();
      const vectors = await this.#inTime(this.#embed(model, texts, 'document'));
      return vectors.map((vector) => ({ model: model.id, vector }));
    } catch (error) {
      this.#cooldown.document.beginAfter(error);
      return void this.#failed(error);
    }
  }

  /** Something was stored without a vector: make it soon, in the background. */
  wake(): void {
    if (this.#open === undefined || this.#stop.signal.aborted || this.#pause !== undefined) return;
    this.#sleep(0, FIRST_PAUSE_MS);
  }

  /** Makes the vectors that are missing, `limit` at most. Says how many it made. Others who do the same are waited for. */
  async drain(
    options: {
      readonly limit?: number;
      readonly isPatient?: boolean;
      readonly onProgress?: (progress: EmbeddingProgress) => void;
    } = {},
  ): Promise<number> {
    const { limit = Number.POSITIVE_INFINITY, isPatient = true, onProgress } = options;
    const model = await this.#models.ready();
    const total = onProgress === undefined ? 0 : (await this.#vectors.backlog(model.id)).waiting;
    let done = 0;
    let after: string | undefined;
    while (done < limit && !this.#stop.signal.aborted) {
      const { made, last, isTaken } = await this.#inTurn(() =>
        this.#batch(model, Math.min(model.batchSize, limit - done), after),
      );
      if (isTaken && isPatient) {
        await sleep(LOOK_MS, undefined, { signal: this.#stop.signal }).catch(() => {});
        continue;
      }
      if (last === undefined) break;
      done += made;
      after = last;
      onProgress?.({ done, total: Math.max(total, done) });
    }
    return done;
  }

  /**
   * Makes the vectors of the configured model beside those that are there, and goes over to them when all are made.
   * Searches of all processes continue with the old ones until then. Of several calls one works, and the others wait.
   */
  async reEmbed(options: Partial<Pick<ReEmbedParts, 'signal' | 'onProgress'>> = {}): Promise<ReEmbedReport> {
    const model = await this.#models.configured();
    const signals = [this.#stop.signal, ...(options.signal === undefined ? [] : [options.signal])];
    const signal = AbortSignal.any(signals);
    const work = () =>
      reEmbed({ vectors: this.#vectors, model, signal, onProgress: options.onProgress }).finally(() =>
        this.#models.leave(),
      );
    if (this.#leaseRunner === undefined) return work();
    for (;;) {
      const turn = await this.#leaseRunner.attempt(RE_EMBEDDING, work, { spanMs: TURN_MS });
      if (turn !== undefined) return turn.value;
      await sleep(LOOK_MS, undefined, { signal });
    }
  }

  async health(): Promise<EmbeddingHealth | null> {
    if (this.#open === undefined) return null;
    try {
      const model = await this.#models.ready();
      const problem = this.#problem ?? this.#models.mismatch?.message ?? null;
      return { model: model.id, ...(await this.#vectors.backlog(model.id)), problem };
    } catch (error) {
      this.#failed(error);
      return { model: null, embedded: 0, waiting: 0, foreign: 0, problem: this.#problem };
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#pause);
    await this.#lastTurn;
    await this.#models.close();
  }

  async #question(text: string): Promise<Embedding | undefined> {
    const model = await this.#models.ready();
    const [vector] = await this.#embed(model, [text], 'query');
    await this.#models.checkFit(model);
    if (vector === undefined || vector.every((value) => value === 0)) return undefined;
    return { model: model.id, vector };
  }

  /** What was not caught up with is found by its words; that is not a reason to search by words alone. */
  async #catchUpInTime(): Promise<void> {
    if (this.#cooldown.document.isOn) return;
    await this.#inTime(this.#catchUp()).catch((error: unknown) => {
      this.#cooldown.document.beginAfter(error);
      this.#failed(error);
    });
  }

  /** A slow model catches up with one batch now, and with the rest while the process lives. */
  async #catchUp(): Promise<void> {
    const model = await this.#models.ready();
    const limit = model.embedNow === undefined ? model.batchSize : CATCH_UP;
    if ((await this.drain({ limit, isPatient: false })) > 0) this.wake();
  }

  /** Of several processes one embeds a batch. Where a vector costs less than asking whose turn it is, each just does. */
  async #batch(model: EmbeddingModel, limit: number, after: string | undefined): Promise<Batch> {
    if (this.#stop.signal.aborted) return { made: 0 };
    const next = () => this.#vectors.waiting(model.id, limit, after);
    const batch = await next();
    if (batch.length === 0) return { made: 0 };
    // Then ours would only be in the way.
    if (await this.#models.isReplaced(model)) return { made: 0 };
    if (this.#leaseRunner === undefined || model.embedNow !== undefined) return this.#make(model, batch);
    const turn = await this.#leaseRunner.attempt(
      `embedding:${model.id}`,
      async () => {
        // Whoever had the turn before may have made some of them.
        const rest = await next();
        return rest.length === 0 ? { made: 0 } : this.#make(model, rest);
      },
      { spanMs: TURN_MS },
    );
    return turn?.value ?? { made: 0, isTaken: true };
  }

  async #make(model: EmbeddingModel, batch: readonly Unembedded[]): Promise<Batch> {
    const { drafts, problem } = await makeDrafts(batch, (texts) => this.#embed(model, texts, 'document'));
    // What has no vector stays in the queue.
    if (problem !== undefined) this.#failed(problem);
    await this.#vectors.save(model.id, drafts);
    return { made: drafts.length, last: batch.at(-1)?.id };
  }

  async #embed(
    model: EmbeddingModel,
    texts: readonly string[],
    kind: EmbeddingKind,
  ): Promise<Float32Array[]> {
    const vectors = await model.embed(texts, kind, this.#stop.signal);
    this.#problem = null;
    // Whoever answers is back.
    this.#cooldown[kind].end();
    this.#cooldown.query.end();
    return vectors;
  }

  /** One batch at a time, or two would embed the same records. A search is let in between those of a long drain. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#lastTurn.then(work);
    this.#lastTurn = mine.catch(() => undefined);
    return mine;
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const seconds = this.#patienceMs / 1_000;
        reject(
          new KeepsakeError('TIMEOUT', `The embedding model did not answer within ${seconds} seconds.`, {
            hint: 'Check that its server is running; "keepsake doctor" tries it again.',
          }),
        );
      }, this.#patienceMs);
    });
    return Promise.race([work, late]).finally(() => clearTimeout(timer));
  }

  #sleep(milliseconds: number, next: number): void {
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      this.drain().catch((error: unknown) => {
        this.#failed(error);
        if (!this.#stop.signal.aborted && this.#pause === undefined) {
          this.#sleep(next, Math.min(2 * next, LONGEST_PAUSE_MS));
        }
      });
    }, milliseconds).unref();
  }

  #failed(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    this.#problem = KeepsakeError.is(error) ? error.message : String(error);
  }
}

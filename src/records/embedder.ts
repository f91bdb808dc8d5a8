/** Gives records their vectors: at once where the model can, otherwise from a queue that lives in the store. */
import { KeepsakeError } from '../kernel/errors.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { Embedding, EmbeddingBacklog, VectorStore } from '../ports/record-store.ts';

export interface EmbedderParts {
  readonly vectors: VectorStore;
  /** Opens the model when it is first needed; undefined for full-text search only. */
  readonly open: (() => Promise<EmbeddingModel>) | undefined;
}

export interface EmbeddingProgress {
  readonly done: number;
  readonly total: number;
}

export interface EmbeddingHealth extends EmbeddingBacklog {
  readonly model: string;
  /** Why the last attempt failed, if it did. */
  readonly problem: string | null;
}

/** What a search does before it looks, so that what was just stored is found by meaning too. */
const CATCH_UP = 2_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export class Embedder {
  readonly #vectors: VectorStore;
  readonly #open: EmbedderParts['open'];
  readonly #stop = new AbortController();
  #opening: Promise<EmbeddingModel> | undefined;
  #model: EmbeddingModel | undefined;
  #draining: Promise<number> | undefined;
  #pause: { readonly timer: NodeJS.Timeout; readonly length: number } | undefined;
  #problem: string | null = null;

  constructor({ vectors, open }: EmbedderParts) {
    this.#vectors = vectors;
    this.#open = open;
  }

  /** How the similarities of the model are to be read, once it is open. */
  get calibration(): EmbeddingModel['calibration'] | undefined {
    return this.#model?.calibration;
  }

  /** The vector of a text that is about to be stored, if the model is open and makes it in no time. */
  now(text: string): Embedding | undefined {
    const model = this.#model;
    if (model?.embedNow === undefined) return undefined;
    return { model: model.id, vector: model.embedNow(text) };
  }

  /** The vector of a question; undefined without a model, when it fails, and when it knows no word of the question. */
  async query(text: string): Promise<Embedding | undefined> {
    if (this.#open === undefined || text.trim() === '') return undefined;
    try {
      const model = await this.#ready();
      // A slow model catches up with one batch now, and with the rest while the process lives.
      const caughtUp = await this.drain({ limit: model.embedNow === undefined ? model.batchSize : CATCH_UP });
      if (caughtUp > 0) this.wake();
      const [vector] = await model.embed([text], 'query', this.#stop.signal);
      if (vector === undefined || vector.every((value) => value === 0)) return undefined;
      return { model: model.id, vector };
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  /** How close a text that has no stored vector is to a question, if that can be told at once. */
  compare(text: string, { vector }: Embedding): number | null {
    const own = this.now(text)?.vector;
    return own === undefined ? null : own.reduce((sum, value, i) => sum + value * (vector[i] as number), 0);
  }

  /** Something was stored without a vector: make it soon, in the background. */
  wake(): void {
    if (this.#open === undefined || this.#stop.signal.aborted || this.#pause !== undefined) return;
    this.#sleep(0, FIRST_PAUSE_MS);
  }

  /** Makes the vectors that are missing, `limit` at most. Says how many it made. */
  async drain(
    options: { readonly limit?: number; readonly onProgress?: (progress: EmbeddingProgress) => void } = {},
  ): Promise<number> {
    // One at a time: two would embed the same records.
    while (this.#draining !== undefined) await this.#draining.catch(() => undefined);
    this.#draining = this.#drain(options.limit ?? Number.POSITIVE_INFINITY, options.onProgress);
    try {
      return await this.#draining;
    } finally {
      this.#draining = undefined;
    }
  }

  async health(): Promise<EmbeddingHealth | null> {
    if (this.#open === undefined) return null;
    const model = await this.#ready();
    return { model: model.id, ...(await this.#vectors.backlog(model.id)), problem: this.#problem };
  }

  async close(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#pause?.timer);
    await this.#draining?.catch(() => undefined);
    const model = await this.#opening?.catch(() => undefined);
    await model?.close?.();
  }

  async #drain(limit: number, onProgress?: (progress: EmbeddingProgress) => void): Promise<number> {
    const model = await this.#ready();
    let done = 0;
    let after: string | undefined;
    const total = onProgress === undefined ? 0 : (await this.#vectors.backlog(model.id)).waiting;
    while (done < limit && !this.#stop.signal.aborted) {
      const batch = await this.#vectors.waiting(model.id, Math.min(model.batchSize, limit - done), after);
      if (batch.length === 0) break;
      const texts = batch.map((record) => record.text);
      const vectors = await model.embed(texts, 'document', this.#stop.signal);
      const drafts = batch.map(({ id, version }, i) => ({ id, version, vector: vectors[i] as Float32Array }));
      await this.#vectors.save(model.id, drafts);
      done += batch.length;
      after = batch.at(-1)?.id;
      onProgress?.({ done, total: Math.max(total, done) });
    }
    this.#problem = null;
    return done;
  }

  #sleep(milliseconds: number, next: number): void {
    const timer = setTimeout(() => {
      this.#pause = undefined;
      this.drain().catch((error: unknown) => {
        this.#failed(error);
        if (!this.#stop.signal.aborted) this.#sleep(next, Math.min(2 * next, LONGEST_PAUSE_MS));
      });
    }, milliseconds);
    timer.unref();
    this.#pause = { timer, length: milliseconds };
  }

  #failed(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    this.#problem = KeepsakeError.is(error) ? error.message : String(error);
  }

  async #ready(): Promise<EmbeddingModel> {
    if (this.#open === undefined) {
      throw new KeepsakeError('UNSUPPORTED', 'No embedding model is configured.', {
        hint: 'Set models.embedding, for example to "static".',
      });
    }
    this.#opening ??= this.#open();
    try {
      this.#model = await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
    return this.#model;
  }
}

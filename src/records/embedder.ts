/** Gives records their vectors: at once where the model can, otherwise from a queue that lives in the store. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ERROR_TABLE, KeepsakeError } from '../kernel/errors.ts';
import type { Turns } from '../leases/index.ts';
import type { EmbeddingKind, EmbeddingModel } from '../ports/embedding-model.ts';
import type {
  Embedding,
  EmbeddingBacklog,
  Unembedded,
  VectorDraft,
  VectorStore,
} from '../ports/record-store.ts';
import { soundModel } from './sound-model.ts';

export interface EmbedderParts {
  readonly vectors: VectorStore;
  /** Without them, nobody else has the store open. */
  readonly turns?: Turns;
  /** Opens the model when it is first needed; undefined for full-text search only. */
  readonly open: (() => Promise<EmbeddingModel>) | undefined;
  /** How long a search waits for a model before it goes by words alone. */
  readonly patienceMs?: number;
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
/** When so many texts fail one by one and none succeeds, it is not the texts. */
const ENOUGH_FAILURES = 3;

interface Batch {
  readonly made: number;
  readonly last?: string | undefined;
  /** Another process makes vectors just now. */
  readonly isTaken?: boolean;
}

export class Embedder {
  readonly #vectors: VectorStore;
  readonly #turns: Turns | undefined;
  readonly #open: EmbedderParts['open'];
  readonly #patienceMs: number;
  readonly #stop = new AbortController();
  #opening: Promise<EmbeddingModel> | undefined;
  #model: EmbeddingModel | undefined;
  /** Settles when all batches that were asked for are done. */
  #lastTurn: Promise<unknown> = Promise.resolve();
  #pause: NodeJS.Timeout | undefined;
  #problem: string | null = null;

  constructor({ vectors, turns, open, patienceMs = PATIENCE_MS }: EmbedderParts) {
    this.#vectors = vectors;
    this.#turns = turns;
    this.#open = open;
    this.#patienceMs = patienceMs;
  }

  /** How the similarities of the model are to be read, once it is open. */
  get calibration(): EmbeddingModel['calibration'] | undefined {
    return this.#model?.calibration;
  }

  /** The vector of a text that is about to be stored, if the model is open and makes it in no time. */
  now(text: string): Embedding | undefined {
    const model = this.#model;
    if (model?.embedNow === undefined) return undefined;
    try {
      return { model: model.id, vector: model.embedNow(text) };
    } catch (error) {
      // The text is stored all the same, and waits.
      this.#failed(error);
      return undefined;
    }
  }

  /** The vector of a question; undefined without a model, when it fails, and when it knows no word of the question. */
  async query(text: string): Promise<Embedding | undefined> {
    if (this.#open === undefined || text.trim() === '') return undefined;
    try {
      const question = await this.#inTime(this.#question(text));
      // What was not caught up with is found by its words; that is no reason to search by words alone.
      await this.#inTime(this.#catchUp()).catch((error: unknown) => this.#failed(error));
      return question;
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

  /** Makes the vectors that are missing, `limit` at most. Says how many it made. Others who do the same are waited for. */
  async drain(
    options: {
      readonly limit?: number;
      readonly isPatient?: boolean;
      readonly onProgress?: (progress: EmbeddingProgress) => void;
    } = {},
  ): Promise<number> {
    const { limit = Number.POSITIVE_INFINITY, isPatient = true, onProgress } = options;
    const model = await this.#ready();
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

  async health(): Promise<EmbeddingHealth | null> {
    if (this.#open === undefined) return null;
    try {
      const model = await this.#ready();
      return { model: model.id, ...(await this.#vectors.backlog(model.id)), problem: this.#problem };
    } catch (error) {
      this.#failed(error);
      return { model: null, embedded: 0, waiting: 0, foreign: 0, problem: this.#problem };
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#pause);
    await this.#lastTurn;
    // One that is still opening is closed when it has: one that never opens must not keep anybody waiting.
    await this.#model?.close?.();
  }

  async #question(text: string): Promise<Embedding | undefined> {
    const model = await this.#ready();
    const [vector] = await this.#embed(model, [text], 'query');
    if (vector === undefined || vector.every((value) => value === 0)) return undefined;
    return { model: model.id, vector };
  }

  /** A slow model catches up with one batch now, and with the rest while the process lives. */
  async #catchUp(): Promise<void> {
    const model = await this.#ready();
    const limit = model.embedNow === undefined ? model.batchSize : CATCH_UP;
    if ((await this.drain({ limit, isPatient: false })) > 0) this.wake();
  }

  /** Of several processes one embeds a batch. Where a vector costs less than asking whose turn it is, each just does. */
  async #batch(model: EmbeddingModel, limit: number, after: string | undefined): Promise<Batch> {
    if (this.#stop.signal.aborted) return { made: 0 };
    const next = () => this.#vectors.waiting(model.id, limit, after);
    const batch = await next();
    if (batch.length === 0) return { made: 0 };
    if (this.#turns === undefined || model.embedNow !== undefined) return this.#make(model, batch);
    const turn = await this.#turns.attempt(
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
    const drafts = await this.#drafts(model, batch).catch((error: unknown) =>
      this.#oneByOne(model, batch, error),
    );
    await this.#vectors.save(model.id, drafts);
    return { made: drafts.length, last: batch.at(-1)?.id };
  }

  async #drafts(model: EmbeddingModel, batch: readonly Unembedded[]): Promise<VectorDraft[]> {
    const texts = batch.map((record) => record.text);
    const vectors = await this.#embed(model, texts, 'document');
    return batch.map(({ id, version }, i) => ({ id, version, vector: vectors[i] as Float32Array }));
  }

  /** One text that the model cannot take must not hold up all the others; it stays in the queue. */
  async #oneByOne(
    model: EmbeddingModel,
    batch: readonly Unembedded[],
    error: unknown,
  ): Promise<VectorDraft[]> {
    if (batch.length === 1 || passes(error)) throw error;
    const made: VectorDraft[] = [];
    let failures = 0;
    for (const record of batch) {
      try {
        made.push(...(await this.#drafts(model, [record])));
      } catch {
        failures++;
        if (made.length === 0 && failures >= ENOUGH_FAILURES) throw error;
      }
    }
    if (made.length === 0) throw error;
    this.#failed(error);
    return made;
  }

  async #embed(
    model: EmbeddingModel,
    texts: readonly string[],
    kind: EmbeddingKind,
  ): Promise<Float32Array[]> {
    const vectors = await model.embed(texts, kind, this.#stop.signal);
    this.#problem = null;
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
        reject(new KeepsakeError('TIMEOUT', `The embedding model did not answer within ${seconds} seconds.`));
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

  async #ready(): Promise<EmbeddingModel> {
    if (this.#open === undefined) {
      throw new KeepsakeError('UNSUPPORTED', 'No embedding model is configured.', {
        hint: 'Set models.embedding, for example to "static".',
      });
    }
    this.#opening ??= this.#opened(this.#open);
    try {
      return await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  async #opened(open: () => Promise<EmbeddingModel>): Promise<EmbeddingModel> {
    const model = soundModel(await open());
    const { id, dimensions } = model;
    try {
      // A model that does not fit the vectors of its own name is refused before it is used, not in the middle of a write.
      if (dimensions > 0) {
        await this.#vectors.similarities([], { model: id, vector: new Float32Array(dimensions) });
      }
      if (this.#stop.signal.aborted) throw new KeepsakeError('ABORTED', 'The client was closed.');
    } catch (error) {
      await model.close?.();
      throw error;
    }
    this.#model = model;
    return model;
  }
}

/** Whether the same may go well another time, whatever the texts are. */
function passes(error: unknown): boolean {
  return KeepsakeError.is(error) && (ERROR_TABLE[error.code].retry || error.code === 'ABORTED');
}

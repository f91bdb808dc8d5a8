/** Chooses the model for searches and writes: the one that made the stored vectors, until they are re-embedded. */
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { VectorStore } from '../ports/record-store.ts';
import { soundModel } from './sound-model.ts';

export interface ModelInUseParts {
  readonly vectors: VectorStore;
  /** Opens the configured model; undefined for full-text search only. */
  readonly open: (() => Promise<EmbeddingModel>) | undefined;
  /** Opens the model with this id, if this program knows how: for vectors of another model than the configured one. */
  readonly openStored?: ((id: string) => Promise<EmbeddingModel | undefined>) | undefined;
  readonly stop: AbortSignal;
}

export class ModelInUse {
  readonly #parts: ModelInUseParts;
  #opening: Promise<EmbeddingModel> | undefined;
  #used: EmbeddingModel | undefined;
  /** The configured one: not the one in use while the vectors of another one are there. */
  #wanted: EmbeddingModel | undefined;
  #mismatch: KeepsakeError | null = null;
  /** Were in use, perhaps still are by a call that is under way; closed at the end. */
  readonly #left = new Set<EmbeddingModel>();
  /** Whose vectors are known to be as long as those of its name that are there. */
  #fitting: EmbeddingModel | undefined;

  constructor(parts: ModelInUseParts) {
    this.#parts = parts;
  }

  /** Undefined until it was opened. */
  get now(): EmbeddingModel | undefined {
    return this.#used;
  }

  /** That it is not the configured one, and what to do about it. */
  get mismatch(): KeepsakeError | null {
    return this.#mismatch;
  }

  async ready(): Promise<EmbeddingModel> {
    const { open } = this.#parts;
    if (open === undefined) {
      throw new KeepsakeError('UNSUPPORTED', 'No embedding model is configured.', {
        hint: 'Set models.embedding, for example to "static".',
      });
    }
    this.#opening ??= this.#opened(open);
    try {
      return await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  async configured(): Promise<EmbeddingModel> {
    try {
      const used = await this.ready();
      return this.#wanted ?? used;
    } catch (error) {
      // It may well be that the other one cannot be opened here: that is what re-embedding is for.
      if (this.#wanted === undefined) throw error;
      return this.#wanted;
    }
  }

  /** Looks whether the vectors are another model's by now; if so, whoever needs a model next opens that one. */
  async isReplaced({ id }: EmbeddingModel): Promise<boolean> {
    const present = (await this.#parts.vectors.aside?.present()) ?? null;
    if (present === null || present === id) return false;
    this.leave();
    return true;
  }

  /** Some servers tell the length of their vectors with their first answer only; one that does not fit is opened again next time. */
  async checkFit(model: EmbeddingModel): Promise<void> {
    if (model === this.#fitting) return;
    try {
      await this.#refuseMisfit(model);
    } catch (error) {
      this.leave();
      if (this.#wanted === model) this.#wanted = undefined;
      throw error;
    }
  }

  /** A failure with what to do about it. One that is not of the configured model says that as well. */
  explain(thrown: unknown): KeepsakeError {
    const error = KeepsakeError.is(thrown) ? thrown : foreign(thrown);
    const mismatch = this.#mismatch;
    if (mismatch === null || error === mismatch) return error;
    const { code, details, hint } = mismatch;
    return new KeepsakeError(code, `${error.message} ${mismatch.message}`, {
      cause: error,
      details,
      ...defined({ hint }),
    });
  }

  leave(): void {
    if (this.#used !== undefined) this.#left.add(this.#used);
    this.#opening = undefined;
    this.#used = undefined;
  }

  async close(): Promise<void> {
    // One that is still opening is closed when it has: one that never opens must not keep anybody waiting.
    const all = new Set([this.#used, this.#wanted, ...this.#left]);
    await Promise.all([...all].map((model) => model?.close?.()));
  }

  async #opened(open: () => Promise<EmbeddingModel>): Promise<EmbeddingModel> {
    const wanted = this.#wanted ?? soundModel(await open());
    this.#wanted = wanted;
    let used = wanted;
    try {
      used = await this.#choose(wanted);
      // Before it is used, not in the middle of a write.
      await this.#refuseMisfit(used);
      if (this.#parts.stop.aborted) throw new KeepsakeError('ABORTED', 'The client was closed.');
    } catch (error) {
      if (used !== wanted) await used.close?.();
      // One that was refused because of the vectors there is still the one that is wanted.
      if (error !== this.#mismatch || this.#parts.stop.aborted) {
        this.#wanted = undefined;
        await wanted.close?.();
      }
      throw error;
    }
    this.#used = used;
    return used;
  }

  /** A model that does not fit the vectors of its own name. */
  async #refuseMisfit(model: EmbeddingModel): Promise<void> {
    const { id, dimensions } = model;
    if (dimensions === 0) return;
    await this.#parts.vectors.similarities([], { model: id, vector: new Float32Array(dimensions) });
    this.#fitting = model;
  }

  async #choose(wanted: EmbeddingModel): Promise<EmbeddingModel> {
    const { vectors, openStored } = this.#parts;
    const present = (await vectors.aside?.present()) ?? null;
    this.#mismatch = present === null || present === wanted.id ? null : mismatched(present, wanted.id);
    if (present === null || this.#mismatch === null) return wanted;
    const stored = await openStored?.(present).catch(() => undefined);
    // Vectors of two models are never compared, and never mixed behind anybody's back.
    if (stored === undefined) throw this.#mismatch;
    return soundModel(stored);
  }
}

function mismatched(present: string, wanted: string): KeepsakeError {
  return new KeepsakeError(
    'CONFLICT',
    `The vectors here are of ${present}, and ${wanted} is configured: run "keepsake re-embed".`,
    {
      hint: 'Run "keepsake re-embed" to rebuild them (search continues meanwhile), or configure the previous model.',
      details: { present, wanted },
    },
  );
}

/** A model may be anybody's code, and throw what it likes. */
function foreign(thrown: unknown): KeepsakeError {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new KeepsakeError('INTERNAL', `The embedding model failed: ${reason}`, {
    hint: 'Run "keepsake doctor" to try it again.',
    cause: thrown,
  });
}

/** Any embedding model of the AI SDK, passed as an object; only its shape matters, so `ai` is not needed here. */
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { EmbeddingModel } from '../../ports/embedding-model.ts';
import { embedInBatches } from './batches.ts';
import { checkVectors } from './check-vectors.ts';
import { AttemptFailure, abortedError, retrying } from './retrying.ts';

/** What the specifications v2, v3 and v4 of the AI SDK have in common. */
export interface AiSdkEmbeddingModel {
  readonly provider: string;
  readonly modelId: string;
  readonly maxEmbeddingsPerCall?: number | undefined | PromiseLike<number | undefined>;
  doEmbed(options: {
    readonly values: string[];
    readonly abortSignal?: AbortSignal;
  }): PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>;
}

export interface AiSdkEmbeddingOptions {
  /** Where they are known; else the first answer tells. */
  readonly dimensions?: number;
  readonly calibration?: EmbeddingModel['calibration'];
  readonly retries?: number;
  readonly backoffMs?: number;
}

const MAX_TEXTS = 96;
/** In the middle of what models of this kind do. */
const UNKNOWN_CALIBRATION = { unrelated: 0.2, same: 0.8 } as const;

export function isAiSdkEmbeddingModel(value: unknown): value is AiSdkEmbeddingModel {
  if (typeof value !== 'object' || value === null) return false;
  const { provider, modelId, doEmbed } = value as Partial<AiSdkEmbeddingModel>;
  return typeof provider === 'string' && typeof modelId === 'string' && typeof doEmbed === 'function';
}

/** The AI SDK marks errors that pass by `isRetryable`; others may have been thrown by anything. */
function passes(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && 'isRetryable' in cause && cause.isRetryable === true;
}

class AiSdkEmbedding implements EmbeddingModel {
  readonly id: string;
  readonly batchSize = MAX_TEXTS;
  readonly calibration: EmbeddingModel['calibration'];
  readonly #model: AiSdkEmbeddingModel;
  readonly #retry: { readonly retries: number; readonly backoffMs: number };
  #dimensions: number | undefined;

  constructor(model: AiSdkEmbeddingModel, options: AiSdkEmbeddingOptions) {
    const { dimensions, calibration = UNKNOWN_CALIBRATION, retries = 3, backoffMs = 500 } = options;
    this.#model = model;
    this.#retry = { retries, backoffMs };
    this.#dimensions = dimensions;
    this.calibration = calibration;
    this.id = `ai-sdk/${model.provider}/${model.modelId}${dimensions === undefined ? '' : `@${dimensions}`}`;
  }

  /** 0 until the first answer, where nothing was said about it. */
  get dimensions(): number {
    return this.#dimensions ?? 0;
  }

  async embed(texts: readonly string[], _kind: unknown, signal?: AbortSignal): Promise<Float32Array[]> {
    const most = (await this.#model.maxEmbeddingsPerCall) ?? MAX_TEXTS;
    const limits = {
      maxTexts: Math.max(1, Math.min(most, MAX_TEXTS)),
      maxCharacters: 200_000,
      maxTextCharacters: 8_000,
    };
    return embedInBatches(
      texts,
      limits,
      (batch) => retrying(() => this.#call(batch, signal), { ...this.#retry, signal }),
      () => this.#dimensions,
    );
  }

  async #call(texts: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    let answer: { readonly embeddings?: unknown };
    try {
      answer = await this.#model.doEmbed({
        values: [...texts],
        ...defined({ abortSignal: signal }),
      });
    } catch (cause) {
      if (signal?.aborted) throw abortedError(cause);
      const reason = cause instanceof Error ? cause.message : String(cause);
      const error = new KeepsakeError('UNAVAILABLE', `The embedding model ${this.id} failed: ${reason}`, {
        hint: 'Check the model that was passed to createClient; the texts can be embedded later.',
        details: { model: this.id },
        cause,
      });
      throw new AttemptFailure(error, passes(cause));
    }
    const vectors = checkVectors(answer?.embeddings, {
      model: this.id,
      count: texts.length,
      dimensions: this.#dimensions,
    });
    this.#dimensions ??= vectors[0]?.length;
    return vectors;
  }
}

export function createAiSdkEmbedding(
  model: AiSdkEmbeddingModel,
  options: AiSdkEmbeddingOptions = {},
): EmbeddingModel {
  return new AiSdkEmbedding(model, options);
}

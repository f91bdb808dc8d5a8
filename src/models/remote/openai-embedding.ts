/** Embeddings over HTTP in OpenAI's format, which Ollama, vLLM, LM Studio and most gateways speak too. */

import { type Clock, systemClock } from '../../kernel/clock.ts';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { EmbeddingModel } from '../../ports/embedding-model.ts';
import { type BatchLimits, embedInBatches } from './batches.ts';
import { checkVectors } from './check-vectors.ts';
import { postJson, withoutPassword } from './post-json.ts';
import { AttemptFailure, abortedError, retrying } from './retrying.ts';

export interface OpenAiEmbeddingOptions {
  /** Names the vector space, e.g. `openai/text-embedding-3-small@512`. */
  readonly id: string;
  /** The model as the server knows it. */
  readonly model: string;
  /** Without the `/embeddings` at its end. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Sent along with every call: a shorter vector than the model makes by itself. */
  readonly shortenTo?: number | undefined;
  /** What the vectors have without shortening, where that is known; else the first answer tells. */
  readonly dimensions?: number | undefined;
  readonly calibration: EmbeddingModel['calibration'];
  /** What to do when the server refuses the key. */
  readonly keyHint: string;
  /** For one call, its answer included. */
  readonly timeoutMs?: number;
  readonly retries?: number;
  readonly backoffMs?: number;
  readonly clock?: Clock;
}

/**
 * OpenAI takes 2,048 texts and 300,000 tokens in a call and 8,191 tokens in a text. Characters are counted instead of
 * tokens, so the limits leave room for scripts in which every character is a token.
 */
const LIMITS: BatchLimits = { maxTexts: 96, maxCharacters: 200_000, maxTextCharacters: 8_000 };

const QUOTA = 'insufficient_quota';

interface Failure {
  readonly code?: unknown;
  readonly type?: unknown;
  readonly message?: unknown;
}

/** `{ error: { message } }`, or `{ error: "…" }`, or no JSON at all. */
function failureIn(body: string): Failure {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    if (typeof error === 'string') return { message: error };
    return typeof error === 'object' && error !== null ? error : {};
  } catch {
    return {};
  }
}

/** Seconds or a date, as HTTP has it; OpenAI adds a header in milliseconds. */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const exact = headers.get('retry-after-ms');
  if (exact !== null && /^\d+$/.test(exact)) return Number(exact);
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

class OpenAiEmbedding implements EmbeddingModel {
  readonly id: string;
  readonly batchSize = LIMITS.maxTexts;
  readonly calibration: EmbeddingModel['calibration'];
  readonly #options: OpenAiEmbeddingOptions;
  readonly #url: string;
  #dimensions: number | undefined;

  constructor(options: OpenAiEmbeddingOptions) {
    this.id = options.id;
    this.calibration = options.calibration;
    this.#options = options;
    this.#url = `${options.baseUrl.replace(/\/+$/, '')}/embeddings`;
    this.#dimensions = options.shortenTo ?? options.dimensions;
  }

  /** 0 until the first answer, where nothing was said about it. */
  get dimensions(): number {
    return this.#dimensions ?? 0;
  }

  embed(texts: readonly string[], _kind: unknown, signal?: AbortSignal): Promise<Float32Array[]> {
    const { retries = 3, backoffMs = 500 } = this.#options;
    return embedInBatches(
      texts,
      LIMITS,
      (batch) => retrying(() => this.#call(batch, signal), { retries, backoffMs, signal }),
      () => this.#dimensions,
    );
  }

  async #call(texts: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    const { model, id, apiKey, shortenTo, timeoutMs = 30_000 } = this.#options;
    const timeout = AbortSignal.timeout(timeoutMs);
    let answer: Awaited<ReturnType<typeof postJson>>;
    try {
      const content = {
        model,
        input: texts,
        encoding_format: 'float',
        ...defined({ dimensions: shortenTo }),
      };
      const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
      answer = await postJson(this.#url, content, { apiKey, signal: either });
    } catch (cause) {
      if (signal?.aborted) throw abortedError(cause);
      throw new AttemptFailure(this.#unreachable(cause, timeout.aborted ? timeoutMs : undefined), true);
    }
    const { response, body } = answer;
    if (!response.ok) throw this.#refusal(response, body);
    const vectors = checkVectors(this.#vectorsIn(body), {
      model: id,
      count: texts.length,
      dimensions: this.#dimensions,
    });
    this.#dimensions ??= vectors[0]?.length;
    return vectors;
  }

  /** The order of the answer is told by `index`, which some servers leave out. */
  #vectorsIn(body: string): unknown {
    let data: unknown;
    try {
      ({ data } = JSON.parse(body) as { data?: unknown });
    } catch (cause) {
      // Most often a connection that was cut, which the next attempt does not meet again.
      const error = new KeepsakeError(
        'UNAVAILABLE',
        `The embedding model ${this.id} answered with something that is not JSON.`,
        { hint: `Check that ${this.#place} is the address of an OpenAI-compatible server.`, cause },
      );
      throw new AttemptFailure(error, true);
    }
    if (!Array.isArray(data)) return undefined;
    const items = data as readonly { index?: unknown; embedding?: unknown }[];
    const ordered: unknown[] = [];
    for (const [i, item] of items.entries()) {
      ordered[typeof item?.index === 'number' ? item.index : i] = item?.embedding;
    }
    return ordered;
  }

  /** Where it was asked, without a password that may be part of the address. */
  get #place(): string {
    return withoutPassword(this.#url);
  }

  #unreachable(cause: unknown, timeoutMs: number | undefined): KeepsakeError {
    if (timeoutMs !== undefined) {
      return new KeepsakeError(
        'TIMEOUT',
        `The embedding model ${this.id} did not answer within ${timeoutMs / 1000} seconds.`,
        { hint: 'Nothing is lost: the texts can be embedded later.', cause },
      );
    }
    return new KeepsakeError('UNAVAILABLE', `The embedding model ${this.id} cannot be reached.`, {
      hint: `Check that the server at ${this.#place} is running and that the network lets you through.`,
      cause,
    });
  }

  #refusal({ status, headers }: Response, body: string): AttemptFailure {
    const failure = failureIn(body);
    const said = typeof failure.message === 'string' ? `: ${this.#withoutKey(failure.message)}` : '.';
    const details = { model: this.id, status };
    const fail = (code: ConstructorParameters<typeof KeepsakeError>[0], message: string, hint: string) =>
      new KeepsakeError(code, message, { hint, details });
    const { keyHint, clock = systemClock } = this.#options;
    if (status === 401 || status === 403) {
      // What the server says here may quote the key.
      const error = fail('UNAUTHORIZED', `The server of ${this.id} refused the key (${status}).`, keyHint);
      return new AttemptFailure(error, false);
    }
    if (status === 429 && (failure.code === QUOTA || failure.type === QUOTA)) {
      const hint = 'The quota of the account is used up; waiting a little does not help.';
      return new AttemptFailure(fail('UNAVAILABLE', `${this.id} refused${said}`, hint), false);
    }
    if (status === 429 || status === 408 || status >= 500) {
      const code = status === 429 ? 'BUSY' : 'UNAVAILABLE';
      const hint = 'This usually passes: the texts can be embedded later.';
      const error = fail(code, `The server of ${this.id} answered ${status}${said}`, hint);
      return new AttemptFailure(error, true, retryAfter(headers, clock.now()));
    }
    const hint =
      status === 404
        ? `Check that the server at ${this.#place} has the model "${this.#options.model}".`
        : 'Check the name and the dimensions of the model.';
    const code = status === 404 ? 'NOT_FOUND' : status === 413 ? 'TOO_LARGE' : 'INVALID_INPUT';
    return new AttemptFailure(fail(code, `The server of ${this.id} answered ${status}${said}`, hint), false);
  }

  #withoutKey(message: string): string {
    const { apiKey } = this.#options;
    const safe = apiKey === undefined ? message : message.replaceAll(apiKey, '***');
    return safe.slice(0, 300);
  }
}

export function createOpenAiEmbedding(options: OpenAiEmbeddingOptions): EmbeddingModel {
  return new OpenAiEmbedding(options);
}

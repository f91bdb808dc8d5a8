/** Reranking over HTTP, in the format that Cohere and Jina share and most servers speak, in Voyage's, and in that of TEI. */
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { Cooldown } from '../../kernel/cooldown.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { Reranker } from '../../ports/reranker.ts';
import { postJson, readable, withoutPassword } from './post-json.ts';
import { readScores } from './reranker-scores.ts';

export interface HttpRerankerOptions {
  /** As people know it, e.g. `cohere/rerank-v3.5`. */
  readonly id: string;
  /** The model as the server knows it. */
  readonly model: string;
  /** Without the `/rerank` at its end. */
  readonly baseUrl: string;
  /** `texts`: Hugging Face's text-embeddings-inference, which has one model and calls what it reads texts. */
  readonly format: 'documents' | 'texts';
  readonly apiKey?: string | undefined;
  /** What to do when the server refuses the key. */
  readonly keyHint: string;
  readonly clock?: Clock;
  /** For one call, its answer included: somebody waits for the search. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5_000;
/** A server that is down is not asked again for so long: else every search would wait for it. */
const PAUSE_MS = 15_000;
/** More of a question or of a text is not read by any of these models. */
const MAX_CHARACTERS = 8_000;

class HttpReranker implements Reranker {
  readonly id: string;
  readonly #options: HttpRerankerOptions;
  readonly #url: string;
  readonly #cooldown: Cooldown;
  /** Why it is left alone. */
  #lastFailure: KeepsakeError | undefined;

  constructor(options: HttpRerankerOptions) {
    this.id = options.id;
    this.#options = options;
    this.#url = `${options.baseUrl.replace(/\/+$/, '')}/rerank`;
    this.#cooldown = new Cooldown(options.clock ?? systemClock, PAUSE_MS);
  }

  async rerank(query: string, texts: readonly string[]): Promise<readonly number[]> {
    if (texts.length === 0) return [];
    if (this.#lastFailure !== undefined && this.#cooldown.isOn) throw this.#lastFailure;
    try {
      return readScores(this.#judgementsIn(await this.#post(query, texts)), texts.length, this.id);
    } catch (error) {
      if (KeepsakeError.is(error)) {
        this.#lastFailure = error;
        this.#cooldown.begin();
      }
      throw error;
    }
  }

  async #post(query: string, texts: readonly string[]): Promise<string> {
    const { model, format, apiKey, timeoutMs = TIMEOUT_MS } = this.#options;
    const read = texts.map((text) => readable(text, MAX_CHARACTERS));
    const asked = {
      query: readable(query, MAX_CHARACTERS),
      ...(format === 'texts' ? { texts: read } : { documents: read }),
    };
    const content = format === 'texts' ? asked : { model, ...asked };
    const signal = AbortSignal.timeout(timeoutMs);
    let answer: Awaited<ReturnType<typeof postJson>>;
    try {
      answer = await postJson(this.#url, content, { apiKey, signal });
    } catch (cause) {
      throw this.#unreachable(cause, timeoutMs);
    }
    if (!answer.response.ok) throw this.#refusal(answer.response.status);
    return answer.body;
  }

  /** `{ results: […] }`, Voyage's `{ data: […] }`, or the bare list of TEI. */
  #judgementsIn(body: string): unknown {
    let answer: unknown;
    try {
      answer = JSON.parse(body);
    } catch (cause) {
      throw this.#failure(
        'UNAVAILABLE',
        `The reranker ${this.id} answered with something that is not JSON.`,
        {
          hint: `Check that ${this.#place} is the address of a reranking server.`,
          cause,
        },
      );
    }
    if (Array.isArray(answer) || typeof answer !== 'object' || answer === null) return answer;
    const { results, data } = answer as { results?: unknown; data?: unknown };
    return results ?? data;
  }

  /** Where it was asked, without a password that may be part of the address. */
  get #place(): string {
    return withoutPassword(this.#url);
  }

  #failure(
    code: ConstructorParameters<typeof KeepsakeError>[0],
    message: string,
    { hint, cause }: { hint: string; cause?: unknown },
  ): KeepsakeError {
    return new KeepsakeError(code, message, { hint, cause, details: { model: this.id } });
  }

  #unreachable(cause: unknown, timeoutMs: number): KeepsakeError {
    if (cause instanceof Error && cause.name === 'TimeoutError') {
      const message = `The reranker ${this.id} did not answer within ${timeoutMs / 1000} seconds.`;
      return this.#failure('TIMEOUT', message, {
        hint: 'A smaller model, or a smaller limit, is quicker; search works without it.',
        cause,
      });
    }
    return this.#failure('UNAVAILABLE', `The reranker ${this.id} cannot be reached.`, {
      hint: `Check that the server at ${this.#place} is running and that the network lets you through.`,
      cause,
    });
  }

  #refusal(status: number): KeepsakeError {
    if (status === 401 || status === 403) {
      const { keyHint } = this.#options;
      return this.#failure('UNAUTHORIZED', `The server of ${this.id} refused the key (${status}).`, {
        hint: keyHint,
      });
    }
    const code = status === 429 ? 'BUSY' : status === 404 ? 'NOT_FOUND' : 'UNAVAILABLE';
    return this.#failure(code, `The server of ${this.id} answered ${status}.`, {
      hint:
        status === 404
          ? `Check that ${this.#place} is right, and that the server has the model "${this.#options.model}".`
          : 'This usually passes; search works without it.',
    });
  }
}

export function createHttpReranker(options: HttpRerankerOptions): Reranker {
  return new HttpReranker(options);
}

/** Converts provider errors into our error codes, without secrets. */

import type { Clock } from '../../kernel/clock.ts';
import { defined } from '../../kernel/defined.ts';
import { type ErrorCode, KeepsakeError } from '../../kernel/errors.ts';
import type { Failure } from './retrying.ts';

export interface FailureContext {
  /** The model as people know it. */
  readonly id: string;
  /** Where it was asked, if that is known. */
  readonly baseUrl?: string | undefined;
  /** What must never be part of a message. */
  readonly apiKey?: string | undefined;
  /** What to do when the server refuses the key. */
  readonly keyHint?: string | undefined;
  readonly clock: Clock;
}

/** The errors of the AI SDK, by their shape; they also hold the whole prompt, so they are never passed on. */
interface SdkError {
  readonly name?: unknown;
  readonly statusCode?: unknown;
  readonly responseHeaders?: Readonly<Record<string, string>> | undefined;
  readonly responseBody?: unknown;
  readonly isRetryable?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly code?: unknown;
}

const QUOTA = /insufficient_quota|credit balance is too low/;
const TOO_LONG =
  /context_length_exceeded|prompt is too long|context window|maximum context length|input token count/i;
/** Anthropic: the prompt fits, but not together with the answer that was reserved. Input, reserved, limit. */
const NO_ROOM = /max_tokens.{0,3} exceed context limit: (\d+) \+ (\d+) > (\d+)/;
/** An answer of fewer tokens would end in the middle of a sentence; then the conversation is too long. */
const SHORTEST_ANSWER_TOKENS = 1000;
/** Something came, and it was not a whole answer in the format of the provider. */
const UNREADABLE = /^AI_(InvalidResponseData|JSONParse|TypeValidation|EmptyResponseBody)Error$/;
const NETWORK = /^(E[A-Z]+|UND_ERR_[A-Z_]+)$/;

const asError = (thrown: unknown): SdkError =>
  typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) };

/** The code of the first error in the chain that has one, e.g. ECONNRESET. */
function networkCode(thrown: unknown): string | undefined {
  let error = asError(thrown);
  for (let depth = 0; depth < 5; depth++) {
    if (typeof error.code === 'string' && NETWORK.test(error.code)) return error.code;
    if (error.cause === undefined || error.cause === null) return undefined;
    error = asError(error.cause);
  }
  return undefined;
}

function isNetwork(thrown: unknown): boolean {
  const { isRetryable, statusCode } = asError(thrown);
  // "terminated" is how fetch calls a body that breaks off.
  const broke = thrown instanceof TypeError && /^(terminated|fetch failed)$/.test(thrown.message);
  return broke || networkCode(thrown) !== undefined || (isRetryable === true && statusCode === undefined);
}

/** Seconds or a date, as HTTP has it; OpenAI adds a header in milliseconds. */
function retryAfter(headers: Readonly<Record<string, string>> = {}, now: number): number | undefined {
  const exact = headers['retry-after-ms'];
  if (exact !== undefined && /^\d+$/.test(exact)) return Number(exact);
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Addresses without a password that may be part of them. */
const withoutPasswords = (text: string): string => text.replace(/\/\/[^@/\s]*@/g, '//');

const placeOf = (baseUrl: string | undefined): string =>
  baseUrl === undefined ? 'the provider' : withoutPasswords(baseUrl);

function said(error: SdkError, { apiKey }: FailureContext): string {
  if (typeof error.message !== 'string' || error.message.trim() === '') return '.';
  const safe = apiKey === undefined ? error.message : error.message.replaceAll(apiKey, '***');
  return `: ${withoutPasswords(safe).slice(0, 300).toWellFormed()}`;
}

function refusal(status: number, error: SdkError, context: FailureContext): Failure {
  const { id, keyHint = 'Check the key that the model was made with.', clock } = context;
  const fail = (code: ErrorCode, message: string, hint: string): KeepsakeError =>
    new KeepsakeError(code, message, { hint, details: { model: id, status } });
  const answered = `The server of ${id} answered ${status}${said(error, context)}`;
  const body = `${String(error.responseBody ?? '')} ${String(error.message ?? '')}`;
  if (status === 401 || status === 403) {
    // What the server says here may quote the key.
    return {
      error: fail('UNAUTHORIZED', `The server of ${id} refused the key (${status}).`, keyHint),
      again: false,
    };
  }
  if (QUOTA.test(body)) {
    const hint = 'The quota of the account is used up; waiting a little does not help.';
    return { error: fail('UNAVAILABLE', answered, hint), again: false };
  }
  if (status === 429 || status === 408 || status >= 500) {
    const hint = 'This usually passes: try again in a while.';
    const waitMs = retryAfter(error.responseHeaders, clock.now());
    return { error: fail(status === 429 ? 'BUSY' : 'UNAVAILABLE', answered, hint), again: true, waitMs };
  }
  const crowded = NO_ROOM.exec(body);
  if (status === 413 || crowded !== null || TOO_LONG.test(body)) {
    const hint = 'Compact the conversation, or use a model that reads more at once.';
    const room = crowded === null ? 0 : Number(crowded[3]) - Number(crowded[1]);
    const roomTokens = room < SHORTEST_ANSWER_TOKENS ? undefined : room;
    return { error: fail('TOO_LARGE', answered, hint), again: false, roomTokens };
  }
  if (status === 404) {
    const hint = `Check that ${placeOf(context.baseUrl)} has a model of that name.`;
    return { error: fail('NOT_FOUND', answered, hint), again: false };
  }
  return {
    error: fail('INVALID_INPUT', answered, 'Check the model, its tools and the messages.'),
    again: false,
  };
}

function unreachable(thrown: unknown, { id, baseUrl }: FailureContext): Failure {
  const code = networkCode(thrown);
  const late = code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT';
  const details = { model: id, ...defined({ network: code }) };
  const error = new KeepsakeError(
    late ? 'TIMEOUT' : 'UNAVAILABLE',
    `The connection to the model ${id} ${late ? 'was silent for too long' : 'failed'}${code === undefined ? '' : ` (${code})`}.`,
    {
      hint:
        id.startsWith('ollama/') && code === 'ECONNREFUSED'
          ? `Start Ollama with "ollama serve", and fetch the model with "ollama pull ${id.slice('ollama/'.length)}".`
          : `Check that ${placeOf(baseUrl)} can be reached and does not redirect to somewhere else.`,
      details,
    },
  );
  return { error, again: !late };
}

/** A stream that ends without having said that it is complete, or that makes no sense. */
export function incomplete(id: string): Failure {
  const error = new KeepsakeError('UNAVAILABLE', `The model ${id} did not send a complete answer.`, {
    hint: 'What came so far is only a part of it: try again.',
    details: { model: id },
  });
  return { error, again: true };
}

/** What a server reports in a stream that began well is its own trouble, and mostly passes. */
export function explainReported(thrown: unknown, context: FailureContext): Failure {
  const failure = explainFailure(thrown, context);
  return { ...failure, again: failure.again || asError(thrown).isRetryable !== false };
}

export function explainFailure(thrown: unknown, context: FailureContext): Failure {
  if (KeepsakeError.is(thrown)) return { error: thrown, again: false };
  const error = asError(thrown);
  if (typeof error.statusCode === 'number' && error.statusCode >= 400) {
    return refusal(error.statusCode, error, context);
  }
  if (UNREADABLE.test(String(error.name))) return incomplete(context.id);
  if (isNetwork(thrown)) return unreachable(thrown, context);
  const failed = new KeepsakeError('UNAVAILABLE', `The model ${context.id} failed${said(error, context)}`, {
    hint: 'Check the name of the model and the address of its server.',
    details: { model: context.id },
  });
  return { error: failed, again: error.isRetryable === true };
}

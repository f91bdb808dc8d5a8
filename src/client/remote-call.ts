/** Calls a verb on a server: the same input, the same answer, the same errors. */

import { type Caller, EVERY_AGENT } from '../kernel/caller.ts';
import { defined } from '../kernel/defined.ts';
import { ERROR_TABLE, type ErrorCode, KeepsakeError } from '../kernel/errors.ts';
import { withNotices } from '../kernel/notices.ts';
import { validate } from '../kernel/validate.ts';
import { pathOf } from '../kernel/verb.ts';
import type { Call } from './call.ts';

export interface RemoteOptions {
  /** Address of a Keepsake server, for example http://127.0.0.1:4444. */
  readonly url: string;
  readonly apiKey?: string | undefined;
}

/** Indexing a large folder takes minutes; a server that says nothing for so long is gone. */
const PATIENCE_MS = 300_000;

export function checkUrl(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url.replace(/\/+$/, '');
  throw new KeepsakeError('INVALID_INPUT', `"${url.slice(0, 200)}" is not the address of a server.`, {
    hint: 'For example: createClient({ url: "http://127.0.0.1:4444", apiKey })',
  });
}

/** Headers hold no Unicode, names of agents and ids of users may. */
export function headersFor({ apiKey }: RemoteOptions, caller?: Caller): Record<string, string> {
  const { agent, user, role } = caller?.viewer ?? {};
  return {
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    ...(agent === undefined ? {} : { 'keepsake-agent': encodeURIComponent(agent) }),
    // Else a key that is bound to an agent would store what is about a person with every agent as its own.
    ...(agent === undefined && user !== undefined ? { 'keepsake-agent': EVERY_AGENT } : {}),
    ...(user === undefined ? {} : { 'keepsake-user': encodeURIComponent(user) }),
    ...(caller?.thread === undefined ? {} : { 'keepsake-thread': encodeURIComponent(caller.thread) }),
    ...(agent === undefined && user === undefined ? {} : { 'keepsake-role': role! }),
  };
}

export function unreachable(url: string, cause: unknown): KeepsakeError {
  const reason = (cause as { cause?: { code?: string } }).cause?.code ?? (cause as Error).message;
  return new KeepsakeError('UNAVAILABLE', `The server at ${url} cannot be reached (${reason}).`, {
    hint: 'Start it with "keepsake serve", or correct the address.',
    cause,
  });
}

/** The error that the server threw, as if it had been thrown here. */
export async function errorOf(response: Response, url: string): Promise<KeepsakeError> {
  const body = (await response.json().catch(() => null)) as {
    error?: { code?: string; message?: string; hint?: string; details?: Record<string, unknown> };
  } | null;
  const { code, message, hint, details } = body?.error ?? {};
  if (code === undefined || !Object.hasOwn(ERROR_TABLE, code)) {
    return new KeepsakeError(
      'UNAVAILABLE',
      `${url} returned ${response.status}, which is not a response of a Keepsake server.`,
      {
        hint: 'Check the address.',
      },
    );
  }
  // Not that of a model on the server, which may be missing too.
  if (code === 'UNAUTHORIZED' && details?.scheme === 'Bearer') {
    return new KeepsakeError(code, `The server at ${new URL(url).origin} needs a valid apiKey.`, {
      hint: 'Pass a key of that server to createClient({ url, apiKey }). Create one with "keepsake keys create" on the server.',
    });
  }
  return new KeepsakeError(code as ErrorCode, message ?? code, {
    ...defined({ hint, details }),
  });
}

/** What made the answer weaker than usual, as the server reports it beside the answer. */
export const NOTICE_HEADER = 'keepsake-notice';
/** How many weaker matches a search left out. */
const MORE_HEADER = 'keepsake-more';

function withReportedNotices(answer: unknown, response: Response): unknown {
  if (!Array.isArray(answer)) return answer;
  const header = response.headers.get(NOTICE_HEADER);
  const notices = header === null ? [] : (JSON.parse(decodeURIComponent(header)) as string[]);
  const more = response.headers.get(MORE_HEADER);
  const noted = withNotices(answer, notices);
  return more === null ? noted : Object.defineProperty(noted, 'more', { value: Number(more) });
}

async function send(url: string, request: RequestInit): Promise<unknown> {
  try {
    const response = await fetch(url, request);
    if (!response.ok) throw await errorOf(response, url);
    return withReportedNotices(await response.json(), response);
  } catch (cause) {
    if (KeepsakeError.is(cause)) throw cause;
    const name = (cause as Error).name;
    if (name === 'TimeoutError') {
      throw new KeepsakeError('TIMEOUT', `The server at ${url} did not answer in time.`, { cause });
    }
    if (name === 'AbortError') throw new KeepsakeError('ABORTED', 'The call was aborted.', { cause });
    throw unreachable(url, cause);
  }
}

export function remoteCall(options: RemoteOptions, caller?: Caller): Call {
  return async (verb, input, { signal } = {}) => {
    // Here too: JSON has no NaN and no Date, and would turn them into something that is valid.
    validate(verb.input, input, verb.name);
    const patience = AbortSignal.timeout(PATIENCE_MS);
    const answer = await send(`${options.url}${pathOf(verb)}`, {
      method: 'POST',
      headers: { ...headersFor(options, caller), 'content-type': 'application/json' },
      body: JSON.stringify(input),
      signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
    });
    return answer as never;
  };
}

export async function remoteRead<T>(
  options: RemoteOptions,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<T> {
  const url = `${options.url}${path}?${new URLSearchParams(query)}`;
  return (await send(url, {
    headers: headersFor(options),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })) as T;
}

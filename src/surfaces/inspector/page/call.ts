/** Calls the server. The caller is identified by the cookie that a link set, or by the key that somebody signed in with. */
import type { Answer, Input, Route } from './api.ts';
import { storedKey } from './key.ts';

interface ErrorBody {
  readonly code?: string;
  readonly message?: string;
  readonly hint?: string;
}

export class ApiError extends Error {
  /** Of the response; 0 when there was none. */
  readonly status: number;

  constructor(status: number, { message = 'The server sent an unexpected response.', hint }: ErrorBody = {}) {
    super(hint === undefined || hint === '' ? message : `${message} ${hint}`);
    this.status = status;
  }
}

export interface Circumstances {
  /** On whose behalf the call is made. */
  readonly agent?: string | undefined;
  /** The user that the call is about. */
  readonly user?: string | undefined;
  /** The thread of the conversation, if it is not the only one. */
  readonly thread?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** The call outlives the page. */
  readonly keepalive?: boolean | undefined;
}

type Given<R extends Route> = Input<R> & Circumstances;
/** What a route requires cannot be left out. */
type Arguments<R extends Route> = object extends Input<R> ? [given?: Given<R>] : [given: Given<R>];

/** A call as `request` reads it, whatever its route. */
interface AnyCall extends Circumstances {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

function addressOf(path: string, { params = {}, query = {} }: AnyCall): URL {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const url = new URL(filled, location.origin);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  }
  return url;
}

function headersOf({ agent, user, thread, body, headers }: AnyCall): Record<string, string> {
  const key = storedKey();
  return {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    // Headers carry ASCII only.
    ...(agent === undefined ? {} : { 'keepsake-agent': encodeURIComponent(agent) }),
    ...(user === undefined ? {} : { 'keepsake-user': encodeURIComponent(user) }),
    ...(thread === undefined ? {} : { 'keepsake-thread': encodeURIComponent(thread) }),
    ...headers,
  };
}

const isAborted = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** Errors that nobody needs to read: the call was cancelled, or the page shows that there is no session. */
export function isExpected(error: unknown): boolean {
  return isAborted(error) || (error instanceof ApiError && error.status === 401);
}

function unreachable(error: unknown): unknown {
  if (isAborted(error)) return error;
  const hint = 'Is "keepsake serve" still running?';
  return new ApiError(0, { message: 'The server does not respond.', hint });
}

/** Throws an ApiError; a missing session is also announced to the page. */
export async function request<R extends Route>(route: R, ...[given]: Arguments<R>): Promise<Response> {
  const [method = '', path = ''] = route.split(' ');
  const call: AnyCall = given ?? {};
  const { body, signal, keepalive } = call;
  const response = await fetch(addressOf(path, call), {
    method,
    headers: headersOf(call),
    credentials: 'same-origin',
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
    keepalive: keepalive ?? false,
  }).catch((error: unknown) => {
    throw unreachable(error);
  });
  if (response.ok) return response;
  if (response.status === 401) dispatchEvent(new Event('keepsake:no-session'));
  const { error }: { error?: ErrorBody } = await response.json().catch(() => ({}));
  throw new ApiError(response.status, error);
}

const SLOW_MS = 250;
let waiting = 0;

/** A line at the top of the page shows that a response is slow; quick ones do not show it. */
function announce(step: 1 | -1): void {
  waiting += step;
  const { dataset } = document.documentElement;
  if (waiting === 0) delete dataset.waiting;
  else {
    setTimeout(() => {
      if (waiting > 0) dataset.waiting = '';
    }, SLOW_MS);
  }
}

/** What the server says about this one answer, for example that it had to search by words only. */
function noticesOf(response: Response): readonly string[] {
  try {
    const notices: unknown = JSON.parse(decodeURIComponent(response.headers.get('keepsake-notice') ?? ''));
    return Array.isArray(notices) ? notices.filter((notice) => typeof notice === 'string') : [];
  } catch {
    return [];
  }
}

export async function callWithNotices<R extends Route>(
  route: R,
  ...given: Arguments<R>
): Promise<{ readonly answer: Answer<R>; readonly notices: readonly string[]; readonly more: number }> {
  announce(1);
  try {
    const response = await request(route, ...given);
    // How many weaker matches a search left out.
    const more = Number(response.headers.get('keepsake-more') ?? 0);
    return { answer: await response.json(), notices: noticesOf(response), more };
  } finally {
    announce(-1);
  }
}

export async function call<R extends Route>(route: R, ...given: Arguments<R>): Promise<Answer<R>> {
  return (await callWithNotices(route, ...given)).answer;
}

/** HTTP responses: JSON, compressed if large, and one format for errors. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'hono';
import { ERROR_TABLE, type KeepsakeError } from '../../kernel/errors.ts';

const compress = promisify(gzip);
/** Below this, compressing takes longer than sending. */
const WORTH_COMPRESSING = 8 * 1024;

const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

const REQUEST_ID = 'x-request-id';
const ids = new WeakMap<Context, string>();
const signed = new WeakSet<Response>();

/** Answers to this request will carry its id. */
export function nameRequest(context: Context, id: string): void {
  ids.set(context, id);
}

/** For answers that were made elsewhere. To look at the headers of one makes an object of them, which costs as much as sending it. */
export function sign(response: Response, requestId: string): void {
  if (!signed.has(response)) response.headers.set(REQUEST_ID, requestId);
}

function answer(
  context: Context,
  body: string | Uint8Array<ArrayBuffer>,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  const id = ids.get(context);
  const response = new Response(body, {
    status,
    headers: id === undefined ? headers : { ...headers, [REQUEST_ID]: id },
  });
  if (id !== undefined) signed.add(response);
  return response;
}

export async function textAnswer(
  context: Context,
  body: string,
  headers: Readonly<Record<string, string>>,
  status = 200,
): Promise<Response> {
  if (body.length < WORTH_COMPRESSING || !/\bgzip\b/.test(context.req.header('accept-encoding') ?? '')) {
    return answer(context, body, status, headers);
  }
  const compressed = new Uint8Array(await compress(body, { level: 4 }));
  return answer(context, compressed, status, {
    ...headers,
    'content-encoding': 'gzip',
    vary: 'accept-encoding',
  });
}

export function jsonAnswer(
  context: Context,
  value: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Promise<Response> {
  return textAnswer(context, JSON.stringify(value ?? null), { ...JSON_HEADERS, ...headers }, status);
}

export function errorAnswer(
  error: KeepsakeError,
  requestId: string,
  status: number = ERROR_TABLE[error.code].http,
): Response {
  return new Response(JSON.stringify({ error: error.toJSON() }), {
    status,
    headers: {
      ...JSON_HEADERS,
      [REQUEST_ID]: requestId,
      ...(error.code === 'UNAUTHORIZED' ? { 'www-authenticate': 'Bearer realm="keepsake"' } : {}),
      ...(error.retryable ? { 'retry-after': String(error.details.retryAfterSeconds ?? 1) } : {}),
    },
  });
}

/** Pages come from here alone and load from here alone; the address, which may hold a token, is told to nobody. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

export function pageAnswer(context: Context, html: string, status = 200): Promise<Response> {
  return textAnswer(context, html, PAGE_HEADERS, status);
}

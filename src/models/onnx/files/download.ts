/** Downloads a file into a temporary one and resumes interrupted downloads. */
import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { KeepsakeError } from '../../../kernel/errors.ts';

export interface DownloadOptions {
  readonly url: string;
  readonly file: string;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How long the server may say nothing. */
  readonly idleMs?: number | undefined;
}

/** Connections break; as long as each attempt brings something, it is worth another. */
const MAX_ATTEMPTS = 6;

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function unreachable(url: string, why: string, cause?: unknown): KeepsakeError {
  return new KeepsakeError('UNAVAILABLE', `${url} cannot be downloaded: ${why}.`, {
    hint: 'Check the network; the downloaded part is kept, and the next attempt continues from there.',
    cause,
  });
}

/** The whole size, from `Content-Range: bytes 10-99/100` or from what is announced. */
function totalOf({ headers, status }: Response): number {
  const whole = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1];
  return Number(status === 206 ? whole : headers.get('content-length')) || 0;
}

const DISK_ERRORS = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EACCES', 'EPERM', 'EROFS', 'EIO', 'EISDIR', 'ENOENT'];

function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DISK_ERRORS.includes(String(error.code));
}

interface Attempt {
  readonly done: boolean;
  readonly cause?: unknown;
}

/** Writes chunk by chunk: what has arrived when the connection breaks is on the disk, and need not come again. */
async function store(response: Response, file: string, onChunk: (bytes: number) => void): Promise<void> {
  const handle = await open(file, response.status === 206 ? 'a' : 'w', 0o600);
  try {
    for await (const chunk of response.body ?? []) {
      await handle.writeFile(chunk);
      onChunk(chunk.length);
    }
  } finally {
    await handle.close();
  }
}

async function attempt({
  url,
  file,
  onProgress,
  signal,
  idleMs = 30_000,
}: DownloadOptions): Promise<Attempt> {
  const idle = new AbortController();
  let timer = setTimeout(() => idle.abort(), idleMs);
  let have = sizeOf(file);
  try {
    const response = await fetch(url, {
      headers: { 'accept-encoding': 'identity', ...(have > 0 ? { range: `bytes=${have}-` } : {}) },
      signal: signal === undefined ? idle.signal : AbortSignal.any([signal, idle.signal]),
    });
    // Nothing is left to send: the hash decides whether what is there is right.
    if (response.status === 416) return { done: true };
    if (!response.ok) throw unreachable(url, `the server answered ${response.status}`);
    if (response.status !== 206) have = 0;
    const total = totalOf(response);
    await store(response, file, (bytes) => {
      clearTimeout(timer);
      timer = setTimeout(() => idle.abort(), idleMs);
      have += bytes;
      onProgress?.(have, Math.max(total, have));
    });
    return { done: total === 0 || have >= total };
  } catch (cause) {
    if (signal?.aborted) throw new KeepsakeError('ABORTED', 'The download was stopped.', { cause });
    if (KeepsakeError.is(cause) || isOfDisk(cause)) throw cause;
    return { done: false, cause };
  } finally {
    clearTimeout(timer);
  }
}

export async function download(options: DownloadOptions): Promise<void> {
  let idleAttempts = 0;
  for (let attempts = 1; ; attempts++) {
    const before = sizeOf(options.file);
    const { done, cause } = await attempt(options);
    if (done) return;
    // One that brings nothing may have met a connection that was kept open, and closed just then.
    idleAttempts = sizeOf(options.file) > before ? 0 : idleAttempts + 1;
    if (idleAttempts > 1 || attempts >= MAX_ATTEMPTS) {
      throw unreachable(options.url, 'the connection failed', cause);
    }
  }
}

/** Requests a new inspector link from the server on this machine, with the owner's key. */
import { join } from 'node:path';
import { readServerKey, runningServers } from '../auth/index.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { WorkspacePaths } from '../workspace/index.ts';
import { locate, type WorkspaceTarget } from './target.ts';

export interface BrowserLinkTarget extends WorkspaceTarget {
  /** Where the server listens; else the one of this workspace that runs on this machine. */
  readonly url?: string | undefined;
}

/** If there is no answer by then, no server of this workspace runs on this machine. */
const PATIENCE_MS = 5_000;

const START =
  'Start one with "keepsake serve", which prints a link. If it listens on another address, pass --url.';

async function ask(url: string, secret: string): Promise<Response> {
  try {
    return await fetch(new URL('/v1/browser/link', url), {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      // The key of the owner goes to the server that was named, and nowhere else.
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch (cause) {
    throw new KeepsakeError('UNAVAILABLE', `No server answers at ${url}.`, { hint: START, cause });
  }
}

/** Undefined when the server does not know the secret. */
async function linkFrom(url: string, secret: string): Promise<string | undefined> {
  const response = await ask(url, secret);
  const answer = (await response.json().catch(() => ({}))) as { readonly path?: string };
  if (response.status !== 201 || typeof answer.path !== 'string') return undefined;
  const link = URL.parse(answer.path, url);
  // An answer that leads elsewhere is none of ours.
  return link?.origin === new URL(url).origin ? link.href : undefined;
}

async function linkFromNamed(url: string, { root, dataFolder }: WorkspacePaths): Promise<string> {
  const secret = readServerKey(join(dataFolder, 'server.key'));
  if (secret === undefined) {
    throw new KeepsakeError('NOT_FOUND', `No server has been started for ${root} yet.`, { hint: START });
  }
  const link = await linkFrom(url, secret);
  if (link !== undefined) return link;
  throw new KeepsakeError('UNAUTHORIZED', `The server at ${url} does not know the key of ${root}.`, {
    hint: 'It serves another workspace. Pass that workspace with --workspace, or the right server with --url.',
  });
}

/** A server that listens on every address is asked on the one that never leaves this machine. */
function nearby(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

/** Of servers that ended without a word, another program may have the port by now: it only learns what opened the old one. */
async function linkFromRunning({ root, dataFolder }: WorkspacePaths): Promise<string> {
  for (const { url, secret } of runningServers(dataFolder)) {
    const link = await linkFrom(nearby(url), secret).catch(() => undefined);
    if (link !== undefined) return link;
  }
  throw new KeepsakeError('UNAVAILABLE', `No server for ${root} is running on this machine.`, {
    hint: START,
  });
}

/** Works once, for ten minutes. */
export function browserLink({ workspace, url }: BrowserLinkTarget): Promise<string> {
  const { paths } = locate({ workspace });
  return url === undefined ? linkFromRunning(paths) : linkFromNamed(url, paths);
}

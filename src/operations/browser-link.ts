/** A new link to the inspector, asked of the server that runs on this machine, with the key of the workspace's owner. */
import { join } from 'node:path';
import { readServerKey } from '../auth/index.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { locate, type WorkspaceTarget } from './workspace/target.ts';

export interface BrowserLinkTarget extends WorkspaceTarget {
  /** Where the server listens. */
  readonly url: string;
}

/** Whoever does not answer by then is no server of ours on this machine. */
const PATIENCE_MS = 5_000;

const START =
  'Start one with "keepsake serve"; it prints a link itself. If it listens elsewhere, name it with --url.';

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

/** Works once, for ten minutes. */
export async function browserLink({ workspace, url }: BrowserLinkTarget): Promise<string> {
  const { paths } = locate({ workspace });
  const secret = readServerKey(join(paths.dataFolder, 'server.key'));
  if (secret === undefined) {
    throw new KeepsakeError('NOT_FOUND', `No server was ever started for ${paths.root}.`, { hint: START });
  }
  const response = await ask(url, secret);
  const answer = (await response.json().catch(() => ({}))) as { readonly path?: string };
  if (response.status !== 201 || answer.path === undefined) {
    throw new KeepsakeError('UNAUTHORIZED', `The server at ${url} does not know the key of ${paths.root}.`, {
      hint: 'It serves another workspace: name that one with --workspace, or the right server with --url.',
    });
  }
  return new URL(answer.path, url).href;
}

/** The model of the program that is connected to a server of this workspace, for reviews where none is configured. */
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Engine, LanguageModel } from '../../client/index.ts';
import type { Caller } from '../../kernel/caller.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { packageVersion } from '../cli/package.ts';
import { PrivateFolder } from './private-folder.ts';

/** A server that runs says at once whether its client offers a model. */
const OFFER_MS = 1_000;
const ANSWER_MS = 115_000;

interface Answer {
  readonly offers?: unknown;
  readonly text?: unknown;
  readonly failed?: unknown;
}

/** Undefined where it is not allowed, or no client offers its model now. Only the client of the same agent is asked. */
export async function modelOfClient(
  { config, paths }: Pick<Engine, 'config' | 'paths'>,
  { viewer: { agent } }: Caller,
): Promise<LanguageModel | undefined> {
  if (!config.models.sampling || process.platform === 'win32') return undefined;
  const folder = PrivateFolder.open(join(paths.dataFolder, 'sockets'));
  if (folder === undefined) return undefined;
  const question = { version: packageVersion(), agent };
  const names = readdirSync(folder.path).filter((name) => name.endsWith('.sock'));
  for (const name of names.sort().reverse()) {
    const path = folder.socket(name);
    if (path === undefined) continue;
    const offer = await ask(path, { ...question, sample: null }, OFFER_MS);
    if (offer?.offers !== true) continue;
    // The folder stays open: this process ends with the review.
    return {
      id: 'mcp/client',
      generate: async ({ signal: _, ...sample }) => {
        const { text, failed } = (await ask(path, { ...question, sample }, ANSWER_MS)) ?? {};
        if (typeof text === 'string') return { text };
        const reason = typeof failed === 'string' ? failed : 'it was closed meanwhile.';
        throw new KeepsakeError(
          'UNAVAILABLE',
          `The program that is connected over MCP gave no answer of its model: ${reason}`,
          { hint: 'Allow it there, configure models.main, or set models.sampling to false.' },
        );
      },
    };
  }
  folder.close();
  return undefined;
}

function ask(path: string, question: object, patienceMs: number): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (answer?: Answer): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(end, patienceMs);
    let text = '';
    socket.setEncoding('utf8');
    socket.on('connect', () => socket.write(`${JSON.stringify(question)}\n`));
    socket.on('error', () => end());
    socket.on('close', () => end());
    socket.on('data', (part: string) => {
      text += part;
      if (!text.endsWith('\n')) return;
      try {
        end(JSON.parse(text) as Answer);
      } catch {
        end();
      }
    });
  });
}

/** A private socket in the workspace, on which a server answers hooks, so that they need not open the database themselves. */
import { chmodSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE } from '../../kernel/clock.ts';
import { PrivateFolder } from './private-folder.ts';

/** The hook reads this name, too: bin/ask-server.cjs. */
const FOLDER = 'sockets';
const SOCKET = '.sock';
/** Not yet listening: nobody asks there. */
const DRAFT = '.new';
/** How long what was begun may take once the server is told to stop. */
const CLOSE_TIMEOUT_MS = 2_000;

export interface HookSocket {
  close(): Promise<void>;
}

export interface HookSocketOptions {
  readonly dataFolder: string;
  /** Unique, and sorted by time. */
  readonly id: string;
  readonly now: number;
  readonly converse: (socket: Socket) => Promise<void>;
}

/** Undefined where no socket can be made: then hooks do their work themselves, as they do without any server. */
export async function openHookSocket(options: HookSocketOptions): Promise<HookSocket | undefined> {
  // Windows has no sockets in folders.
  if (process.platform === 'win32') return undefined;
  const folder = PrivateFolder.open(join(options.dataFolder, FOLDER));
  if (folder === undefined) return undefined;
  try {
    await removeStale(folder, options.now);
    const opened = await listen(folder, options);
    if (opened !== undefined) return opened;
  } catch {
    // Memory works without it.
  }
  folder.close();
  return undefined;
}

async function listen(
  folder: PrivateFolder,
  { id, converse }: HookSocketOptions,
): Promise<HookSocket | undefined> {
  const [draft, path] = [folder.socket(`${id}${DRAFT}`), folder.socket(`${id}${SOCKET}`)];
  if (draft === undefined || path === undefined) return undefined;
  const running = new Set<Promise<void>>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    const conversation = converse(socket)
      .catch(() => {})
      .finally(() => {
        socket.destroySoon();
        running.delete(conversation);
      });
    running.add(conversation);
  });
  await listening(server, draft);
  chmodSync(draft, 0o600);
  // From now on whoever finds it is answered: a name that refuses belongs to a server that was killed.
  renameSync(draft, path);
  // The program it belongs to decides when to end.
  server.unref();
  return {
    close: async () => {
      rmSync(path, { force: true });
      await Promise.race([Promise.all(running), pause(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
      folder.close();
    },
  };
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** What servers left that were killed. */
async function removeStale(folder: PrivateFolder, now: number): Promise<void> {
  for (const name of readdirSync(folder.path)) {
    const path = folder.socket(name);
    if (path === undefined) continue;
    if (name.endsWith(SOCKET) ? await isRefused(path) : isOld(path, now)) rmSync(path, { force: true });
  }
}

function isOld(path: string, now: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && now - stats.mtimeMs > MINUTE;
}

function isRefused(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const answer = (isDead: boolean) => {
      socket.destroy();
      resolve(isDead);
    };
    socket.on('connect', () => answer(false));
    socket.on('error', (error: NodeJS.ErrnoException) => answer(error.code === 'ECONNREFUSED'));
  });
}

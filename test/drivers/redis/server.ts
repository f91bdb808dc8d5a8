/** A Redis server of its own for a test file, on a free port and a folder that is removed afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { makeFolder } from '../../fixtures/temporary-folder.ts';
import { whenProcessEnds } from '../../fixtures/when-process-ends.ts';

/** The server that is named for the tests, if one is: its keys that begin with `keepsake:` go, so it must have none before. */
export const givenRedis = process.env.REDIS_URL;

/** Debian's package of the same name; scripts/setup/tools.mjs installs it. */
const PROGRAM = 'redis-server';

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Kills it, as a crash would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Leaves it running, and deaf. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export async function redisServer(
  settings: readonly string[] = [],
  { tls = false }: { readonly tls?: boolean } = {},
): Promise<RedisServer> {
  const port = await freePort();
  const { folder, remove } = makeFolder();
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const listening = tls ? ['--port', '0', '--tls-port', String(port)] : ['--port', String(port)];
    const args = [...listening, '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...settings];
    child = spawn(PROGRAM, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    for await (const chunk of child.stdout!) {
      said += String(chunk);
      if (said.includes('Ready to accept connections')) break;
    }
    if (!said.includes('Ready to accept connections')) throw new Error(`Redis did not start:\n${said}`);
  };
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  // Also when a test file ends before its last hook has run.
  whenProcessEnds(() => void child?.kill('SIGKILL'));
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill,
    start,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    stop: async () => {
      await kill();
      remove();
    },
  };
}

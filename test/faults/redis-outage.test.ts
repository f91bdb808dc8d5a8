/** Redis goes away and comes back: clear errors in time, never a hang or a crash, and then it works again. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient as createRedis } from 'redis';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRedis } from '../../src/drivers/redis/index.ts';
import { type Client, createClient } from '../../src/index.ts';
import { KeepsakeError } from '../../src/kernel/errors.ts';
import { RunState, STATE_LEASE } from '../../src/working/index.ts';
import { type RedisServer, redisServer } from '../drivers/redis/server.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

/** The promise. */
const IN_TIME_MS = 2_000;
const clock = { now: () => Date.now() };
let server: RedisServer;
let redis: Awaited<ReturnType<typeof openRedis>>;
let state: RunState;

beforeEach(async () => {
  server = await redisServer(['--appendonly', 'yes', '--appendfsync', 'always']);
  redis = await openRedis({ url: server.url });
  const at = clock.now();
  await redis.state.create({ run: 'run_1', document: {}, by: 'lead', at, leaseUntil: at + STATE_LEASE });
  state = new RunState({ store: redis.state, clock, run: 'run_1', by: 'alice' });
});
afterEach(async () => {
  await redis.close();
  server.resume();
  await server.stop();
});

async function failing(call: () => Promise<unknown>): Promise<string> {
  const start = performance.now();
  const error = await call().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(performance.now() - start).toBeLessThan(IN_TIME_MS);
  if (!KeepsakeError.is(error)) throw new Error(`Expected a KeepsakeError, got ${String(error)}`);
  expect(error.hint).toBeTruthy();
  return error.code;
}

const recovered = async (): Promise<void> => {
  for (let tries = 0; tries < 50; tries++) {
    if ((await state.get().catch(() => undefined)) !== undefined) return;
    await pause(50);
  }
  throw new Error('Redis is back, and it was not noticed.');
};

const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  read: () => state.get(),
  write: () => state.append('list', 1),
  feed: () => redis.state.changes({ run: 'run_1', after: 0, limit: 1 }),
  remove: () => redis.state.remove('run_2'),
  sweep: () => redis.state.sweep(0),
  messages: () => redis.bus.read({ run: 'run_1', limit: 1 }),
  end: () => redis.bus.end('run_1'),
};

it('killed: every call says so in time, many at once too, and what was acknowledged is there afterwards', async () => {
  await state.append('list', 'before');
  await server.kill();
  const codes = await Promise.all(
    [...Object.values(CALLS), ...Array.from({ length: 20 }, () => CALLS.write!)].map(failing),
  );
  expect(new Set(codes)).toEqual(new Set(['UNAVAILABLE']));
  await server.start();
  await recovered();
  // What nobody waited for any more was not written behind their back.
  expect(await state.get('list')).toEqual(['before']);
  await state.append('list', 'after');
  expect(await state.get('list')).toEqual(['before', 'after']);
});

it('deaf: the same, without a closed connection', async () => {
  server.pause();
  const codes = await Promise.all(
    [CALLS.read!, CALLS.messages!, ...Array.from({ length: 5 }, () => CALLS.write!)].map(failing),
  );
  expect(new Set(codes)).toEqual(new Set(['UNAVAILABLE']));
  server.resume();
  await recovered();
});

it('killed and started again under load: nothing that was acknowledged is lost', async () => {
  const acknowledged: number[] = [];
  let isOver = false;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let i = 0; !isOver; i++) {
      const entry = 1_000 * writer + i;
      await state.append('list', entry).then(
        () => acknowledged.push(entry),
        () => pause(20),
      );
    }
  });
  await pause(150);
  await server.kill();
  await server.start();
  await recovered();
  const before = acknowledged.length;
  while (acknowledged.length < before + 20) await pause(10);
  isOver = true;
  await Promise.all(writers);
  const stored = (await state.get('list')) as number[];
  expect(acknowledged.filter((entry) => !stored.includes(entry))).toEqual([]);
  expect(new Set(stored).size).toBe(stored.length);
});

it('cannot write to its disk: writes say so until it can, and reads go on', async () => {
  await state.append('list', 'before');
  const admin = createRedis({ url: server.url });
  await admin.connect();
  try {
    // A snapshot that fails, for example for want of space, makes Redis refuse writes.
    await admin.configSet({ appendonly: 'no', save: '1 1' });
    const [, folder] = Object.entries(await admin.configGet('dir'))[0]!;
    mkdirSync(join(String(folder), 'dump.rdb/in-the-way'), { recursive: true });
    await admin.bgSave().catch(() => {});
    await expect.poll(() => failing(CALLS.write!), { timeout: 10_000 }).toBe('STORAGE_FULL');
    expect(await state.get('list')).toContain('before');
    await admin.configSet('save', '');
    await state.append('list', 'after');
  } finally {
    admin.destroy();
  }
});

it('a watch that loses its server ends with an error and can be taken up again', async () => {
  await state.set('a', 1);
  const heard: number[] = [];
  const watching = (async () => {
    for await (const { version } of state.watch({ after: 1 })) heard.push(version);
  })();
  while (heard.length === 0) await pause(5);
  const ended = expect(watching).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await server.kill();
  await ended;
  await server.start();
  await recovered();
  const stop = new AbortController();
  const again = (async () => {
    for await (const { version } of state.watch({ after: heard.at(-1)!, signal: stop.signal })) {
      heard.push(version);
      stop.abort();
    }
  })();
  await state.set('a', 2);
  await again;
  expect(heard).toEqual([2, 3]);
});

it('the lease is kept by Redis itself', async () => {
  const at = clock.now();
  await redis.state.create({ run: 'run_2', document: { a: 1 }, by: 'lead', at, leaseUntil: at + 60 });
  await redis.state.create({ run: 'run_3', document: { a: 1 }, by: 'lead', at, leaseUntil: at + 60 });
  await redis.state.touch('run_3', at + 60_000, at);
  await pause(120);
  expect(await redis.state.read('run_2')).toBe(null);
  expect(await redis.state.changes({ run: 'run_2', after: 0, limit: 1 })).toEqual([]);
  expect(await redis.state.read('run_3')).toMatchObject({ document: { a: 1 } });
});

it('a workspace can be opened without its Redis; what needs it says so, and what is wrong with a URL is told', async () => {
  const { folder } = testWorkspace();
  const config = { storage: { state: { driver: 'redis', url: server.url } } } as const;
  const swarmOf = (client: Client) =>
    client.swarm({ name: 's', agents: [{ name: 'a' }], lead: { name: 'b' } });
  // Loads the code that runs swarms: to read it from a busy disk is not what is measured below.
  await using before = createClient({ workspace: folder, config });
  await (await swarmOf(before).start({ task: 'Look.' })).complete();
  await server.kill();
  await using client = createClient({ workspace: folder, config });
  await client.agent({ name: 'alice' }).memory.add({ content: 'The sky is blue.' });
  const swarm = swarmOf(client);
  expect(await failing(() => swarm.start({ task: 'Look.' }))).toBe('UNAVAILABLE');
  await server.start();
  await recovered().catch(() => {});
  const run = await swarm.start({ task: 'Look.' });
  await run.state.append('findings', 'blue');
  expect(await run.state.get('findings')).toEqual(['blue']);
  await run.complete();
  await expect(run.state.get()).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

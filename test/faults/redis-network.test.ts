/** The way to Redis fails in every manner: an error that names it in time, no hang, recovery, nothing acknowledged lost. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRedis } from '../../src/drivers/redis/index.ts';
import { createClient } from '../../src/index.ts';
import { KeepsakeError } from '../../src/kernel/errors.ts';
import { RunState, STATE_LEASE } from '../../src/working/index.ts';
import { type RedisServer, redisServer } from '../drivers/redis/server.ts';
import { testWorkspace } from '../fixtures/workspace.ts';
import { FAULTS, type FaultProxy, faultProxy } from './support/fault-proxy.ts';

/** The promise. */
const IN_TIME_MS = 2_000;
const RECOVERY_MS = 5_000;
const clock = { now: () => Date.now() };
let server: RedisServer;
let proxy: FaultProxy;
let redis: Awaited<ReturnType<typeof openRedis>>;
let state: RunState;

beforeEach(async () => {
  server = await redisServer(['--appendonly', 'yes', '--appendfsync', 'always']);
  proxy = await faultProxy(server.port);
  redis = await openRedis({ url: `redis://127.0.0.1:${proxy.port}` });
  const at = clock.now();
  await redis.state.create({ run: 'run_1', document: {}, by: 'lead', at, leaseUntil: at + STATE_LEASE });
  state = new RunState({ store: redis.state, clock, run: 'run_1', by: 'alice' });
});
afterEach(async () => {
  await redis.close();
  await proxy.close();
  await server.stop();
});

/** The code of the failure, or `ok`; a hang and an error that is not ours fail the test. */
async function outcome(call: () => Promise<unknown>): Promise<string> {
  const start = performance.now();
  const error = await call().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(performance.now() - start).toBeLessThan(IN_TIME_MS);
  if (error === undefined) return 'ok';
  if (!KeepsakeError.is(error)) throw new Error(`Expected a KeepsakeError, got ${String(error)}`);
  expect(error.message).toContain(`Redis at 127.0.0.1:${proxy.port}`);
  expect(error.hint).toBeTruthy();
  return error.code;
}

async function recovered(): Promise<void> {
  const deadline = performance.now() + RECOVERY_MS;
  while (performance.now() < deadline) {
    if ((await state.get().catch(() => undefined)) !== undefined) return;
    await pause(50);
  }
  throw new Error('Redis can be reached again, and it was not noticed.');
}

const CALLS: readonly (() => Promise<unknown>)[] = [
  () => state.get(),
  () => state.append('list', -1),
  () => redis.state.changes({ run: 'run_1', after: 0, limit: 1 }),
  () => redis.bus.read({ run: 'run_1', limit: 1 }),
  () => redis.runs.list({ limit: 1 }),
];

it.each(FAULTS)('%s', async (fault) => {
  const acknowledged: number[] = [];
  let isOver = false;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let i = 1; !isOver; i++) {
      const entry = 1_000_000 * writer + i;
      await state.append('list', entry).then(
        () => acknowledged.push(entry),
        () => pause(20),
      );
    }
  });
  while (acknowledged.length < 30) await pause(5);
  await proxy.begin(fault);
  const outcomes = await Promise.all([...CALLS, ...CALLS].map(outcome));
  expect(new Set(outcomes)).toEqual(new Set(['UNAVAILABLE']));
  await proxy.heal();
  await recovered();
  const before = acknowledged.length;
  while (acknowledged.length < before + 30) await pause(5);
  isOver = true;
  await Promise.all(writers);
  const stored = new Set((await state.get('list')) as number[]);
  expect(acknowledged.filter((entry) => !stored.has(entry))).toEqual([]);
});

it('meanwhile everything that does not need it works, and runs go on afterwards', async () => {
  const { folder } = testWorkspace();
  const url = `redis://127.0.0.1:${proxy.port}`;
  await using client = createClient({
    workspace: folder,
    config: { storage: { state: { driver: 'redis', url } } },
  });
  const alice = client.agent({ name: 'alice' });
  const swarm = client.swarm({ name: 's', agents: [{ name: 'a' }], lead: { name: 'b' } });
  const run = await swarm.start({ task: 'Look.' });
  await run.state.append('findings', 'before');
  for (const fault of FAULTS) {
    await proxy.begin(fault);
    await alice.memory.add({ content: `The harbour is closed because of ${fault}.` });
    expect((await alice.memory.search(`harbour ${fault}`))[0]?.content).toContain(fault);
    expect(await outcome(() => run.state.get('findings'))).toBe('UNAVAILABLE');
    await proxy.heal();
    await recovered();
    await expect
      .poll(() => run.state.get('findings').catch(() => undefined), { timeout: RECOVERY_MS })
      .toEqual(['before']);
  }
  await run.complete();
});

it('the server is restarted behind it: the same', async () => {
  await state.append('list', 'before');
  await server.kill();
  expect(new Set(await Promise.all(CALLS.map(outcome)))).toEqual(new Set(['UNAVAILABLE']));
  await server.start();
  await recovered();
  expect(await state.get('list')).toEqual(['before']);
});

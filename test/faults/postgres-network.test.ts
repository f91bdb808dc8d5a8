/** The way to Postgres fails in every manner: an error that names it in time, no hang, recovery, nothing acknowledged lost. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openPostgres } from '../../src/drivers/postgres/index.ts';
import { KeepsakeError } from '../../src/kernel/errors.ts';
import type { Storage } from '../../src/ports/storage.ts';
import { addRecord, recordDraft } from '../../src/testing/conformance/drafts.ts';
import { type PostgresServer, postgresServer } from '../drivers/postgres/server.ts';
import { FAULTS, type FaultProxy, faultProxy } from './support/fault-proxy.ts';

/** The promise. */
const IN_TIME_MS = 2_000;
const RECOVERY_MS = 5_000;
const AT = 1_767_225_600_000;
const ADMIN = { role: 'admin' } as const;
let server: PostgresServer;
let proxy: FaultProxy;
let storage: Storage;
let count = 0;

beforeAll(async () => {
  server = await postgresServer({ durable: true });
});
afterAll(() => server.stop());
beforeEach(async () => {
  proxy = await faultProxy(server.port);
  storage = await openPostgres({ url: server.url().replace(`:${server.port}`, `:${proxy.port}`) });
});
afterEach(async () => {
  await proxy.heal();
  await storage.close();
  await proxy.close();
});

async function add(): Promise<string> {
  count += 1;
  const draft = recordDraft({ id: `mem_${count}`, agent: 'alice', content: `fact number ${count}` });
  return (await addRecord(storage.records, draft)).id;
}

const list = () => storage.records.list({ viewer: ADMIN, now: AT, filter: {}, limit: 100_000 });

const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  add,
  list,
  search: () => storage.records.searchText({ viewer: ADMIN, now: AT, filter: {}, terms: ['fact'], limit: 1 }),
  events: () => storage.events.latest(),
  log: () => storage.log.read({ limit: 1 }),
  state: () => storage.state.read('run_1'),
  lease: () => storage.leases.take('work', { owner: 'a', now: AT, until: AT + 1 }),
};

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
  expect(error.message).toContain(`Postgres at 127.0.0.1:${proxy.port}`);
  expect(error.hint).toBeTruthy();
  return error.code;
}

async function recovered(): Promise<void> {
  const deadline = performance.now() + RECOVERY_MS;
  while (performance.now() < deadline) {
    if ((await list().catch(() => undefined)) !== undefined) return;
    await pause(50);
  }
  throw new Error('Postgres can be reached again, and it was not noticed.');
}

it.each(FAULTS)('%s', async (fault) => {
  const acknowledged: string[] = [];
  let isOver = false;
  const writers = Array.from({ length: 6 }, async () => {
    while (!isOver) {
      await add().then(
        (id) => acknowledged.push(id),
        () => pause(20),
      );
    }
  });
  while (acknowledged.length < 30) await pause(5);
  // Many at once, so that there are many connections to lose.
  await Promise.all(Array.from({ length: 20 }, () => list()));
  expect(proxy.open).toBeGreaterThan(3);
  await proxy.begin(fault);
  const outcomes = await Promise.all([...Object.values(CALLS), ...Object.values(CALLS)].map(outcome));
  // Whoever finds the way again while he waits has his answer; otherwise everybody is told.
  const allowed = fault === 'forget' ? ['ok', 'UNAVAILABLE'] : ['UNAVAILABLE'];
  for (const each of outcomes) expect(allowed).toContain(each);
  await proxy.heal();
  await recovered();
  const before = acknowledged.length;
  while (acknowledged.length < before + 30) await pause(5);
  isOver = true;
  await Promise.all(writers);
  const stored = new Set((await list()).map(({ id }) => id));
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  const events = await storage.events.read({ limit: 100_000 });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
});

it('whoever listens hears again after each fault, also of a connection that was forgotten', async () => {
  let heard = 0;
  const stop = storage.events.listen!((seq) => {
    heard = Math.max(heard, seq);
  });
  const told = async (): Promise<void> => {
    await add();
    const seq = await storage.events.latest();
    const deadline = performance.now() + 2 * RECOVERY_MS;
    while (heard < seq) {
      if (performance.now() > deadline) throw new Error(`Number ${seq} was not heard of.`);
      await pause(10);
    }
  };
  await told();
  for (const fault of FAULTS) {
    await proxy.begin(fault);
    await outcome(CALLS.list!);
    await proxy.heal();
    await recovered();
    await told();
  }
  stop();
});

it('the server is restarted behind it: the same', async () => {
  const id = await add();
  await server.kill();
  expect(new Set(await Promise.all(Object.values(CALLS).map(outcome)))).toEqual(new Set(['UNAVAILABLE']));
  await server.start();
  await recovered();
  expect((await list()).map((record) => record.id)).toEqual([id]);
});

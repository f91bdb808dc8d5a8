/** Postgres goes away and comes back: clear errors in time, never a hang or a crash, and nothing acknowledged is lost. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openPostgres } from '../../src/drivers/postgres/index.ts';
import { KeepsakeError } from '../../src/kernel/errors.ts';
import type { RecordDraft } from '../../src/ports/record-store.ts';
import type { Storage } from '../../src/ports/storage.ts';
import { type PostgresServer, postgresServer } from '../drivers/postgres/server.ts';

/** The promise. */
const IN_TIME_MS = 2_000;
const RECOVERY_MS = 5_000;
const AT = 1_767_225_600_000;
const ADMIN = { role: 'admin' } as const;
let server: PostgresServer;
let storage: Storage;
let count = 0;

beforeAll(async () => {
  server = await postgresServer({ durable: true });
});
afterAll(() => server.stop());
beforeEach(async () => {
  storage = await openPostgres({ url: server.url() });
});
afterEach(() => storage.close());

function add(content = `fact number ${count}`) {
  count += 1;
  const draft: RecordDraft = {
    ...{
      id: `mem_${count}`,
      agent: 'alice',
      scope: 'agent',
      source: 'manual',
      category: 'fact',
      confidence: 1,
    },
    ...{
      content,
      tags: [],
      metadata: {},
      origin: 'user',
      pinned: false,
      thread: null,
      user: null,
      validFrom: null,
    },
    expiresAt: null,
  };
  return storage.records.add(draft, { maxFacts: 1e9 }, { at: AT, viewer: ADMIN, via: 'sdk' });
}

const list = () => storage.records.list({ viewer: ADMIN, now: AT, filter: {}, limit: 100_000 });

async function failing(call: () => Promise<unknown>): Promise<string> {
  const start = performance.now();
  const error = await call().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(performance.now() - start).toBeLessThan(IN_TIME_MS);
  if (!KeepsakeError.is(error)) throw new Error(`Expected a KeepsakeError, got ${String(error)}`);
  expect(error.message).toContain(`Postgres at 127.0.0.1:${server.port}`);
  expect(error.hint).toBeTruthy();
  return error.code;
}

async function recovered(): Promise<void> {
  const deadline = performance.now() + RECOVERY_MS;
  while (performance.now() < deadline) {
    if ((await list().catch(() => undefined)) !== undefined) return;
    await pause(50);
  }
  throw new Error('Postgres is back, and it was not noticed.');
}

const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  add: () => add(),
  list,
  search: () => storage.records.searchText({ viewer: ADMIN, now: AT, filter: {}, terms: ['fact'], limit: 1 }),
  events: () => storage.events.latest(),
  log: () => storage.log.read({ limit: 1 }),
  state: () => storage.state.read('run_1'),
  end: () => storage.bus.end('run_1'),
};

it('killed: every call says so in time, many at once too, and what was acknowledged is there afterwards', async () => {
  await add('before');
  await server.kill();
  const calls = [...Object.values(CALLS), ...Array.from({ length: 30 }, () => CALLS.add!)];
  expect(new Set(await Promise.all(calls.map(failing)))).toEqual(new Set(['UNAVAILABLE']));
  await server.start();
  await recovered();
  // What nobody waited for any more was not written behind their back.
  expect((await list()).map(({ content }) => content)).toEqual(['before']);
  await add('after');
  expect((await list()).map(({ content }) => content)).toEqual(['after', 'before']);
});

it('deaf: the same, without a closed connection, and another storage cannot be opened meanwhile', async () => {
  await Promise.all(Object.values(CALLS).map((call) => call()));
  server.pause();
  try {
    const opening = () => openPostgres({ url: server.url() });
    const calls = [...Object.values(CALLS), ...Array.from({ length: 20 }, () => CALLS.list!), opening];
    expect(new Set(await Promise.all(calls.map(failing)))).toEqual(new Set(['UNAVAILABLE']));
  } finally {
    server.resume();
  }
  await recovered();
  await add();
});

it('killed and started again under load: nothing acknowledged is lost, and events have no gap', async () => {
  const acknowledged: string[] = [];
  let isOver = false;
  const writers = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      await add().then(
        ({ record }) => acknowledged.push(record.id),
        () => pause(20),
      );
    }
  });
  while (acknowledged.length < 50) await pause(5);
  await server.kill();
  await server.start();
  await recovered();
  const before = acknowledged.length;
  while (acknowledged.length < before + 50) await pause(5);
  isOver = true;
  await Promise.all(writers);
  const stored = new Set((await list()).map(({ id }) => id));
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  const events = await storage.events.read({ limit: 100_000 });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
  const findings = await storage.maintenance.examine({ fix: false, now: AT });
  expect(findings.filter(({ severity }) => severity !== 'ok')).toEqual([]);
});

it('whoever listens hears again after a restart, and what was missed is read from the table', async () => {
  const other = await openPostgres({ url: server.url() });
  await other.close();
  const heard: number[] = [];
  const stop = storage.events.listen!((seq) => heard.push(seq));
  await add();
  while (heard.length === 0 || heard.at(-1) !== 1) await pause(5);
  await server.kill();
  await server.start();
  await recovered();
  await add();
  while (heard.at(-1) !== 2) await pause(5);
  stop();
  expect((await storage.events.read({ after: 1, limit: 10 })).map(({ seq }) => seq)).toEqual([2]);
});

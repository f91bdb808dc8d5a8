/** Events of a workspace wake the servers of all machines through Redis: at once, each its own, and none is lost when it is away. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openPostgres } from '../../../src/drivers/postgres/index.ts';
import { withRedis } from '../../../src/drivers/redis/index.ts';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import type { Storage } from '../../../src/ports/storage.ts';
import { addRecord, context, eventDraft, START } from '../../../src/testing/conformance/drafts.ts';
import { faultProxy } from '../../faults/support/fault-proxy.ts';
import { makeFolder } from '../../fixtures/temporary-folder.ts';
import { type Schemas, schemasForTests } from '../postgres/schemas.ts';
import { type DeafStorage, onlyThroughRedis } from './deaf.ts';
import { type RedisServer, redisServer } from './server.ts';

let redis: RedisServer;
let schemas: Schemas;
beforeAll(async () => {
  [redis, schemas] = await Promise.all([redisServer(), schemasForTests()]);
});
afterAll(() => Promise.all([redis.stop(), schemas.stop()]));

/** Opens a workspace that nobody else has, as often as it is asked for. */
const ENGINES = {
  sqlite: () => {
    const { folder, remove } = makeFolder();
    onTestFinished(remove);
    return () => openSqlite({ file: join(folder, 'keepsake.db') });
  },
  postgres: () => {
    const url = schemas.take();
    return () => openPostgres({ url });
  },
} as const;

const closing = <T extends Storage>(storage: T): T => {
  onTestFinished(() => storage.close());
  return storage;
};

/** The newest number that was heard of; ready when Redis is listened to. */
async function listening(storage: Storage): Promise<() => number> {
  let newest = 0;
  onTestFinished(
    storage.events.listen!((seq) => {
      newest = Math.max(newest, seq);
    }),
  );
  await expect.poll(() => storage.events.isTelling!(), { timeout: 5_000 }).toBe(true);
  return () => newest;
}

const append = async ({ events }: Storage): Promise<number> =>
  (await events.append([eventDraft()])).at(-1)!.seq;

describe.each(Object.keys(ENGINES) as (keyof typeof ENGINES)[])('beside %s', (engine) => {
  it('whoever listens is woken through Redis alone, by every kind of write', async () => {
    const open = ENGINES[engine]();
    const here = closing(await withRedis(await open(), redis));
    const there: DeafStorage = closing(await onlyThroughRedis(await open(), redis.url));
    const heard = await listening(there);
    const isHeard = async (): Promise<void> => {
      const seq = await here.events.latest();
      await expect.poll(heard, { timeout: 5_000 }).toBe(seq);
    };
    await append(here);
    await isHeard();
    const { id } = await addRecord(here.records);
    await isHeard();
    await here.records.forget(id, context());
    await isHeard();
    await here.events.mirror([{ ...eventDraft(), seq: 100 }]);
    await isHeard();
    expect(heard()).toBe(100);
  });

  it('one who writes and ends at once is heard', async () => {
    const open = ENGINES[engine]();
    const there = closing(await onlyThroughRedis(await open(), redis.url));
    const heard = await listening(there);
    const short = await withRedis(await open(), redis);
    const seq = await append(short);
    await short.close();
    await expect.poll(heard, { timeout: 5_000 }).toBe(seq);
  });
});

it('workspaces that share a Redis do not hear each other, and nobody is asked in vain', async () => {
  const [open, openOther] = [ENGINES.sqlite(), ENGINES.sqlite()];
  const here = closing(await withRedis(await open(), redis));
  const there = closing(await onlyThroughRedis(await open(), redis.url));
  const stranger = closing(await onlyThroughRedis(await openOther(), redis.url));
  const [heard, heardElsewhere] = [await listening(there), await listening(stranger)];
  for (let i = 0; i < 20; i++) {
    const seq = await append(here);
    await expect.poll(heard, { timeout: 5_000, interval: 5 }).toBe(seq);
  }
  expect([heardElsewhere(), stranger.asked()]).toEqual([0, 1]);
  // Once at the start, and once for each write: never by the clock.
  expect(there.asked()).toBeLessThanOrEqual(21);
});

it('while Redis is away nobody claims to tell; when it is back, what happened meanwhile is heard at once', async () => {
  const own = await redisServer();
  onTestFinished(() => own.stop());
  const open = ENGINES.sqlite();
  const here = closing(await withRedis(await open(), own));
  const there = closing(await onlyThroughRedis(await open(), own.url));
  const heard = await listening(there);
  for (const fail of [own.kill, async () => own.pause()]) {
    await fail();
    await expect.poll(() => there.events.isTelling!(), { timeout: 5_000 }).toBe(false);
    const seq = await append(here);
    expect(heard()).toBeLessThan(seq);
    if (fail === own.kill) await own.start();
    else own.resume();
    await expect.poll(heard, { timeout: 5_000 }).toBe(seq);
    const next = await append(here);
    await expect.poll(heard, { timeout: 5_000 }).toBe(next);
    expect(there.events.isTelling!()).toBe(true);
  }
});

it('a writer that alone has lost the way to Redis tells when it finds it again', async () => {
  const proxy = await faultProxy(redis.port);
  onTestFinished(() => proxy.close());
  const open = ENGINES.sqlite();
  const here = closing(await withRedis(await open(), { url: `redis://127.0.0.1:${proxy.port}` }));
  const there = closing(await onlyThroughRedis(await open(), redis.url));
  const heard = await listening(there);
  await proxy.begin('refuse');
  const seq = await append(here);
  expect(there.events.isTelling!()).toBe(true);
  await proxy.heal();
  await expect.poll(heard, { timeout: 5_000 }).toBe(seq);
});

it('a copy of a workspace, which has the same name, disturbs nobody: the number is asked of the store', async () => {
  const { folder, remove } = makeFolder();
  onTestFinished(remove);
  const [file, copy] = [join(folder, 'a.db'), join(folder, 'copy.db')];
  const original = await openSqlite({ file });
  await original.events.identity!();
  await original.maintenance.backup(copy);
  await original.close();
  const here = closing(await withRedis(await openSqlite({ file }), redis));
  const there = closing(await onlyThroughRedis(await openSqlite({ file }), redis.url));
  const twin = closing(await withRedis(await openSqlite({ file: copy }), redis));
  const heard = await listening(there);
  const before = there.asked();
  for (let i = 0; i < 10; i++) await append(twin);
  await expect.poll(() => there.asked(), { timeout: 5_000 }).toBeGreaterThan(before);
  expect(heard()).toBe(0);
  const seq = await append(here);
  await expect.poll(heard, { timeout: 5_000 }).toBe(seq);
});

it('a backup from before there was a name is restored under those who listen, and they hear on', async () => {
  const { folder, remove } = makeFolder();
  onTestFinished(remove);
  const [file, backup] = [join(folder, 'a.db'), join(folder, 'backup.db')];
  const here = closing(await withRedis(await openSqlite({ file }), redis));
  await here.maintenance.backup(backup);
  const there = closing(await onlyThroughRedis(await openSqlite({ file }), redis.url));
  const heard = await listening(there);
  await here.maintenance.restore(backup, { keepAs: join(folder, 'before.db'), now: START });
  const later = closing(await withRedis(await openSqlite({ file }), redis));
  const seq = await append(later);
  await expect.poll(heard, { timeout: 5_000 }).toBe(seq);
});

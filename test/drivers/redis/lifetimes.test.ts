/** How long what a run leaves in Redis stays there: as long as its lease, prolonged by every sign of life, and never for ever. */
import { createClient } from 'redis';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openRedis, withRedis } from '../../../src/drivers/redis/index.ts';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import { DAY, HOUR, MINUTE } from '../../../src/kernel/clock.ts';
import { NO_USAGE } from '../../../src/ports/run-store.ts';
import type { StateEdit } from '../../../src/ports/state-store.ts';
import { eventDraft } from '../../../src/testing/conformance/drafts.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { type RedisServer, redisServer } from './server.ts';

let redis: RedisServer;
beforeAll(async () => {
  redis = await redisServer(['--databases', '100']);
});
afterAll(() => redis.stop());

let places = 0;

async function place() {
  const url = `${redis.url}/${places++}`;
  const storage = await openRedis({ url });
  const observer = await createClient({ url }).connect();
  onTestFinished(async () => {
    observer.destroy();
    await storage.close();
  });
  /** Milliseconds that each key still has, rounded up to minutes; 0 for one that stays for ever. */
  const left = async (part: string): Promise<number[]> => {
    const keys = (await observer.keys('*')).filter((key) => key.includes(part)).sort();
    const times = await Promise.all(keys.map((key) => observer.pTTL(key)));
    return times.map((time) => Math.ceil(Math.max(0, time) / MINUTE) * MINUTE);
  };
  return { url, storage, observer, left };
}

const edit = (leaseUntil: number, at = 0): StateEdit => ({
  ...{ run: 'run_1', at, by: 'alice', op: 'set', path: '/a', value: 1, leaseUntil },
  ...{ maxBytes: 1_000, keys: ['a'], apply: () => ({ a: 1 }) },
});

it('the working state and the feed of its changes live and end together', async () => {
  const { storage, left, observer } = await place();
  const { state } = storage;
  await state.create({ run: 'run_1', document: {}, by: 'alice', at: 0, leaseUntil: HOUR });
  expect(await left('run_1')).toEqual([HOUR, HOUR]);
  await state.edit(edit(2 * HOUR));
  expect(await left('run_1')).toEqual([2 * HOUR, 2 * HOUR]);
  await state.touch('run_1', 3 * HOUR, 0);
  expect(await left('run_1')).toEqual([3 * HOUR, 3 * HOUR]);
  // A lease never becomes shorter.
  await state.touch('run_1', HOUR, 0);
  await state.edit(edit(HOUR));
  expect(await left('run_1')).toEqual([3 * HOUR, 3 * HOUR]);
  expect(await state.changes({ run: 'run_1', after: 0, limit: 10 })).toHaveLength(3);
  await state.remove('run_1');
  expect(await observer.keys('*')).toEqual([]);
});

it('a state that nobody touches is gone with all its changes when its lease is over', async () => {
  const { storage, observer } = await place();
  const { state } = storage;
  await state.create({ run: 'run_1', document: { a: 0 }, by: 'alice', at: 0, leaseUntil: 50 });
  await state.edit(edit(60));
  await expect.poll(() => observer.keys('*'), { timeout: 5_000 }).toEqual([]);
  expect(await state.read('run_1')).toBeNull();
});

it('messages live as long as the lease of whoever spoke last, and a week after the end', async () => {
  const { storage, left } = await place();
  const { bus } = storage;
  const say = (id: string, leaseUntil: number) =>
    bus.publish({
      id,
      run: 'run_1',
      agent: 'alice',
      role: 'user',
      content: id,
      at: 0,
      passing: false,
      leaseUntil,
    });
  await say('one', HOUR);
  expect(await left('messages')).toEqual([HOUR, HOUR, HOUR]);
  await say('two', 2 * HOUR);
  expect(await left('messages')).toEqual([2 * HOUR, 2 * HOUR, 2 * HOUR]);
  await bus.end('run_1');
  expect(await left('messages')).toEqual([7 * DAY, 7 * DAY, 7 * DAY]);
});

it('a run can be looked up for ninety days, counted from its end', async () => {
  const { storage, left, observer } = await place();
  const { runs } = storage;
  await runs.create({
    ...{ id: 'run_1', swarm: 's', type: 'research', task: 'x', participants: [], startedAt: 0 },
    ...{ usage: NO_USAGE, leaseUntil: HOUR, leaseMs: HOUR },
  });
  expect(await left('run_1')).toEqual([90 * DAY]);
  await observer.pExpire('keepsake:{run_1}:run', HOUR);
  await runs.end('run_1', { status: 'completed', endedAt: 1, reason: null, result: null });
  expect(await left('run_1')).toEqual([90 * DAY]);
});

it('news of events are kept for a week after the last one', async () => {
  const { url, left, observer } = await place();
  const main = await openSqlite({ file: `${temporaryFolder()}/k.db` });
  const storage = await withRedis(main, { url });
  await storage.events.append([eventDraft()]);
  await storage.close();
  expect(await left('events')).toEqual([7 * DAY]);
  expect(await observer.keys('*')).toHaveLength(1);
});

/** LeaseRunner: one process at a time, over a real database, with a clock that obeys. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import { MINUTE } from '../../src/kernel/clock.ts';
import { type HeldLease, LeaseRunner } from '../../src/leases/index.ts';
import type { Storage } from '../../src/ports/storage.ts';
import { type FakeClock, fakeClock } from '../../src/testing/index.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

let storages: Storage[];
let clock: FakeClock;
let here: LeaseRunner;
let there: LeaseRunner;

beforeEach(async () => {
  const file = join(temporaryFolder(), 'keepsake.db');
  storages = [await openSqlite({ file }), await openSqlite({ file })];
  clock = fakeClock();
  [here, there] = storages.map(
    ({ leases }, i) => new LeaseRunner({ leases, clock, owner: `process ${i}` }),
  ) as [LeaseRunner, LeaseRunner];
});
afterEach(async () => {
  vi.useRealTimers();
  for (const storage of storages) await storage.close();
});

/** Holds the turn until it is told to end. */
async function holding(leaseRunner: LeaseRunner) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<HeldLease>();
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const done = leaseRunner.attempt('work', async (turn) => {
    begin(turn);
    await end;
  });
  const turn = await begun;
  return {
    turn,
    finish: () => {
      resolve();
      return done;
    },
  };
}

it('lets one in, also within one process, and the next one when that one is done', async () => {
  const { finish } = await holding(here);
  expect(await here.attempt('work', async () => 1)).toBe(undefined);
  expect(await there.attempt('work', async () => 2)).toBe(undefined);
  expect(await there.attempt('other work', async () => 3)).toEqual({ value: 3 });
  await finish();
  expect(await there.attempt('work', async () => 4)).toEqual({ value: 4 });
});

it('gives the turn back when the work fails', async () => {
  const failing = here.attempt('work', async () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await there.attempt('work', async () => 1)).toEqual({ value: 1 });
});

it('waits for whoever is at it', async () => {
  const { finish } = await holding(here);
  const order: string[] = [];
  const waiting = there.wait('work', async () => void order.push('second'));
  order.push('first');
  await finish();
  await waiting;
  expect(order).toEqual(['first', 'second']);
});

it('renews the right while the work is done', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { turn, finish } = await holding(here);
  for (let seconds = 0; seconds < 60; seconds += 6) {
    clock.advance(6_000);
    vi.advanceTimersByTime(6_000);
    // The renewal is a write: once another one is done, so is that.
    await storages[0]!.leases.list('');
    await here.attempt(`after ${seconds}`, async () => {});
  }
  expect(await there.attempt('work', async () => 1)).toBe(undefined);
  expect(turn.signal.aborted).toBe(false);
  await finish();
});

it('tells a holder that stood still for too long that another one has taken over', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { turn, finish } = await holding(here);
  clock.advance(MINUTE);
  const successor = await holding(there);
  vi.advanceTimersByTime(6_000);
  await vi.waitUntil(() => turn.signal.aborted);
  expect(turn.signal.reason).toMatchObject({ code: 'CONFLICT' });
  await expect(turn.write('late')).rejects.toMatchObject({ code: 'CONFLICT' });
  await finish();
  expect(await here.attempt('work', async () => 1)).toBe(undefined);
  await successor.finish();
});

it('hands notes on to the next one', async () => {
  await here.attempt('work', (turn) => turn.write('done until 7'));
  expect(await there.attempt('work', async ({ note }) => note)).toEqual({ value: 'done until 7' });
});

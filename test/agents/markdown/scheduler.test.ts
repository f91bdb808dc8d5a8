/** The scheduler, with a clock that obeys and a book in a real database. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AgentDefinition,
  parseAgent,
  ScheduleBook,
  Scheduler,
  type SchedulerEvent,
} from '../../../src/agents/markdown/index.ts';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import { DAY, HOUR, MINUTE } from '../../../src/kernel/clock.ts';
import { LeaseRunner } from '../../../src/leases/index.ts';
import type { Storage } from '../../../src/ports/storage.ts';
import { fakeClock } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const START = new Date(2026, 10, 16, 8, 30).getTime();

const agent = (name: string, trigger: string): AgentDefinition =>
  parseAgent(`${name}.md`, name, `---\ntrigger: ${trigger}\n---\nGo.`);

let storage: Storage;
let leaseRunner: LeaseRunner;
let clock: ReturnType<typeof fakeClock>;
let events: SchedulerEvent[];
let stop: AbortController;

beforeEach(async () => {
  storage = await openSqlite({ file: join(temporaryFolder(), 'keepsake.db') });
  clock = fakeClock(START);
  leaseRunner = new LeaseRunner({ leases: storage.leases, clock, owner: 'a' });
  events = [];
  stop = new AbortController();
});
afterEach(() => storage.close());

function scheduler(
  agents: readonly AgentDefinition[],
  run: (agent: AgentDefinition, signal: AbortSignal) => Promise<string> = async () => 'done',
  process: LeaseRunner = leaseRunner,
): Scheduler {
  const book = new ScheduleBook(process);
  return new Scheduler({
    clock,
    book,
    run,
    signal: stop.signal,
    agents: async () => agents,
    report: (event) => events.push(event),
  });
}

const told = () => events.map(({ type, agent: name }) => `${name} ${type}`);

describe('the scheduler', () => {
  it('D-11 runs an interval at once and then every time it has passed', async () => {
    const hourly = scheduler([agent('hourly', '{ every: 1h }'), agent('by-hand', 'manual')]);
    expect(await hourly.tick()).toBe(START + HOUR);
    await hourly.settled();
    expect(told()).toEqual(['hourly started', 'hourly completed']);
    clock.advance(HOUR - 1);
    expect(await hourly.tick()).toBe(START + HOUR);
    expect(told()).toHaveLength(2);
    clock.advance(1);
    await hourly.tick();
    await hourly.settled();
    expect(told()).toHaveLength(4);
  });

  it('waits for the first time of a cron pattern, over a restart', async () => {
    const daily = [agent('daily', '{ cron: "0 9 * * *" }')];
    expect(await scheduler(daily).tick()).toBe(START + 30 * MINUTE);
    expect(told()).toEqual([]);
    clock.advance(HOUR);
    const again = scheduler(daily);
    await again.tick();
    await again.settled();
    expect(told()).toEqual(['daily started', 'daily completed']);
    await scheduler(daily).tick();
    expect(told()).toHaveLength(2);
  });

  it('makes up for missed runs with one, and says how many there were', async () => {
    const hourly = [agent('hourly', '{ every: 1h }')];
    const first = scheduler(hourly);
    await first.tick();
    await first.settled();
    events = [];
    clock.advance(5 * HOUR + MINUTE);
    const second = scheduler(hourly);
    await second.tick();
    await second.settled();
    expect(events[0]).toEqual({ type: 'missed', agent: 'hourly', times: 4, since: START });
    expect(told()).toEqual(['hourly missed', 'hourly started', 'hourly completed']);
  });

  it('has one run of an agent at a time, and others beside it', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const both = scheduler(
      [agent('slow', '{ every: 1m }'), agent('quick', '{ every: 1m }')],
      async ({ name }) => (name === 'slow' ? promise : 'done'),
    );
    await both.tick();
    await both.anyEnd();
    clock.advance(3 * MINUTE);
    await both.tick();
    expect(told().filter((line) => line === 'slow started')).toHaveLength(1);
    expect(told().filter((line) => line === 'quick started')).toHaveLength(2);
    expect(both.running).toContain('slow');
    resolve('at last');
    await both.settled();
    expect(both.running).toEqual([]);
  });

  it('says that a due run was skipped because another process runs it', async () => {
    const hourly = [agent('hourly', '{ every: 1h }')];
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = scheduler(hourly, async () => promise);
    await first.tick();
    clock.advance(10_000);
    const elsewhere = new LeaseRunner({ leases: storage.leases, clock, owner: 'b' });
    // A machine whose clock, or whose book, says that it is due.
    clock.advance(HOUR);
    await storage.leases.take('schedule:hourly', {
      owner: 'a',
      now: clock.now(),
      until: clock.now() + 30_000,
    });
    events = [];
    const second = scheduler(hourly, undefined, elsewhere);
    await second.tick();
    await second.settled();
    expect(events).toMatchObject([
      { type: 'skipped', agent: 'hourly', reason: expect.stringContaining('another process is running it') },
    ]);
    resolve('done');
    await first.settled();
  });

  it('repeats a run that ended with its process, at once where it was the only scheduler, but not for ever', async () => {
    const hourly = [agent('hourly', '{ every: 1h }')];
    const at = (owner: string, place: string) =>
      new Scheduler({
        clock,
        book: new ScheduleBook(new LeaseRunner({ leases: storage.leases, clock, owner }), place),
        run: owner === 'alive' ? async () => 'done' : () => new Promise(() => {}),
        signal: stop.signal,
        agents: async () => hourly,
        report: (event) => events.push(event),
      });
    await at('killed', 'here').tick();
    clock.advance(1_000);
    // Another machine waits until the lease is over: the run may be going on.
    await at('other', 'there').tick();
    expect(told()).toEqual(['hourly started']);
    await at('killed too', 'here').tick();
    expect(told().slice(1)).toEqual(['hourly interrupted', 'hourly started']);
    clock.advance(1_000);
    const third = at('alive', 'here');
    await third.tick();
    await third.settled();
    expect(told().slice(3)).toEqual(['hourly interrupted', 'hourly started', 'hourly completed']);

    events = [];
    clock.advance(HOUR);
    for (const owner of ['k1', 'k2', 'k3', 'k4']) {
      await at(owner, 'here').tick();
      clock.advance(1_000);
    }
    expect(told().filter((line) => line === 'hourly started')).toHaveLength(3);
  });

  it('survives what goes wrong with one agent', async () => {
    const both = scheduler(
      [agent('bad', '{ every: 1m }'), agent('good', '{ every: 1m }')],
      async ({ name }) => {
        if (name === 'bad') throw new Error('no model');
        return 'done';
      },
    );
    await both.tick();
    await both.settled();
    expect(told()).toEqual(expect.arrayContaining(['bad failed', 'good completed']));
    const entries = Object.fromEntries(await new ScheduleBook(leaseRunner).read());
    expect(entries).toMatchObject({ bad: { outcome: 'failed' }, good: { outcome: 'completed' } });
    clock.advance(MINUTE);
    await both.tick();
    await both.settled();
    expect(told().filter((line) => line === 'bad failed')).toHaveLength(2);
  });

  it('starts nothing once it is told to stop, and hands the signal on', async () => {
    const seen: boolean[] = [];
    const one = scheduler([agent('one', '{ every: 1m }')], async (_, signal) => {
      stop.abort();
      seen.push(signal.aborted);
      throw new Error('stopped');
    });
    await one.tick();
    await one.settled();
    clock.advance(HOUR);
    await one.tick();
    expect(seen).toEqual([true]);
    expect((await new ScheduleBook(leaseRunner).read()).get('one')).toMatchObject({ outcome: 'aborted' });
  });

  it('is not silenced by a clock that was ahead, nor by a book that cannot be read', async () => {
    const hourly = [agent('hourly', '{ every: 1h }')];
    clock.set(START + 300 * DAY);
    const ahead = scheduler(hourly);
    await ahead.tick();
    await ahead.settled();
    clock.set(START);
    expect(await scheduler(hourly).tick()).toBe(START + HOUR);
    await leaseRunner.attempt('schedule:hourly', (turn) => turn.write('{ torn'));
    events = [];
    const mended = scheduler(hourly);
    await mended.tick();
    await mended.settled();
    expect(told()).toEqual(['hourly started', 'hourly completed']);
  });

  it('of two processes one runs what is due, and the other one knows that it was done', async () => {
    const hourly = [agent('hourly', '{ every: 1h }')];
    const gate = Promise.withResolvers<string>();
    const here = scheduler(hourly, () => gate.promise);
    const other = new LeaseRunner({ leases: storage.leases, clock, owner: 'b' });
    const there = scheduler(hourly, async () => 'done there', other);
    await Promise.all([here.tick(), there.tick()]);
    expect(told().filter((line) => line === 'hourly started')).toHaveLength(1);
    gate.resolve('done here');
    await Promise.all([here.settled(), there.settled()]);
    await Promise.all([here.tick(), there.tick()]);
    expect(told().filter((line) => line !== 'hourly skipped')).toEqual([
      'hourly started',
      'hourly completed',
    ]);
    events = [];
    clock.advance(HOUR);
    await there.tick();
    await here.tick();
    await Promise.all([here.settled(), there.settled()]);
    const done = events.filter(({ type }) => type !== 'skipped');
    expect(done).toMatchObject([{ type: 'started' }, { type: 'completed', text: 'done there' }]);
  });

  it('takes over from a process of another machine that died, once its lease is over', async () => {
    const hourly = [agent('hourly', '{ every: 1h }')];
    const never = new Promise<string>(() => {});
    await scheduler(
      hourly,
      () => never,
      new LeaseRunner({ leases: storage.leases, clock, owner: 'dead' }),
    ).tick();
    const alive = scheduler(hourly);
    await alive.tick();
    expect(told()).toEqual(['hourly started']);
    clock.advance(30_000);
    await alive.tick();
    await alive.settled();
    expect(told().slice(1)).toEqual(['hourly interrupted', 'hourly started', 'hourly completed']);
  });
});

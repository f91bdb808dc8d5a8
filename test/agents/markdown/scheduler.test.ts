/** The scheduler, with a clock that obeys and a book on a real disk. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type AgentDefinition,
  parseAgent,
  ScheduleBook,
  Scheduler,
  type SchedulerEvent,
} from '../../../src/agents/markdown/index.ts';
import { sqliteFileLock } from '../../../src/drivers/sqlite/file-lock.ts';
import { DAY, HOUR, MINUTE } from '../../../src/kernel/clock.ts';
import { fakeClock } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const START = new Date(2026, 10, 16, 8, 30).getTime();

const agent = (name: string, trigger: string): AgentDefinition =>
  parseAgent(`${name}.md`, name, `---\ntrigger: ${trigger}\n---\nGo.`);

let folder: string;
let clock: ReturnType<typeof fakeClock>;
let events: SchedulerEvent[];
let stop: AbortController;

beforeEach(() => {
  folder = temporaryFolder();
  clock = fakeClock(START);
  events = [];
  stop = new AbortController();
});

function scheduler(
  agents: readonly AgentDefinition[],
  run: (agent: AgentDefinition, signal: AbortSignal) => Promise<string> = async () => 'done',
): Scheduler {
  const book = new ScheduleBook({
    path: join(folder, 'schedule.json'),
    root: folder,
    lock: sqliteFileLock(),
  });
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
    const { agents } = JSON.parse(readFileSync(join(folder, 'schedule.json'), 'utf8'));
    expect(agents).toMatchObject({ bad: { outcome: 'failed' }, good: { outcome: 'completed' } });
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
    expect(readFileSync(join(folder, 'schedule.json'), 'utf8')).toContain('"aborted"');
  });

  it('is not silenced by a clock that was ahead, nor by a book that cannot be read', async () => {
    const hourly = [agent('hourly', '{ every: 1h }')];
    clock.set(START + 300 * DAY);
    const ahead = scheduler(hourly);
    await ahead.tick();
    await ahead.settled();
    clock.set(START);
    expect(await scheduler(hourly).tick()).toBe(START + HOUR);
    writeFileSync(join(folder, 'schedule.json'), '{ torn');
    events = [];
    const mended = scheduler(hourly);
    await mended.tick();
    await mended.settled();
    expect(told()).toEqual(['hourly started', 'hourly completed']);
  });
});

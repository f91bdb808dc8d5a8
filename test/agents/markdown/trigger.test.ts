/** When agents run by themselves. */
import { describe, expect, it } from 'vitest';
import { nextTime, parseAgent, type Schedule, timesBetween } from '../../../src/agents/markdown/index.ts';
import { DAY, HOUR, MINUTE } from '../../../src/kernel/clock.ts';
import { KeepsakeError } from '../../../src/kernel/errors.ts';

const read = (trigger: string) => parseAgent('x.md', 'x', `---\ntrigger: ${trigger}\n---\nGo.`).trigger;
const schedule = (trigger: string) => read(trigger) as Schedule;

function complaint(trigger: string): string {
  try {
    read(trigger);
    return '';
  } catch (error) {
    return KeepsakeError.is(error) ? error.message : String(error);
  }
}

describe('a trigger', () => {
  it.each([
    ['manual', { type: 'manual' }],
    ['{ type: manual }', { type: 'manual' }],
    ['{ type: schedule, every: 1h }', { type: 'schedule', every: '1h', interval: HOUR }],
    ['{ type: schedule, every: 6h }', { type: 'schedule', every: '6h', interval: 6 * HOUR }],
    ['{ every: 90s }', { type: 'schedule', every: '90s', interval: 90_000 }],
    ['{ every: 1.5h }', { type: 'schedule', every: '1.5h', interval: 90 * MINUTE }],
    ['{ type: schedule, cron: "0 9 * * 1-5" }', { type: 'schedule', cron: '0 9 * * 1-5' }],
    ['{ cron: "@daily" }', { type: 'schedule', cron: '@daily' }],
  ])('D-11 is read: %s', (written, trigger) => {
    expect(read(written)).toEqual(trigger);
  });

  it.each([
    ['{ type: schedule }', 'expected "every"'],
    ['{ every: 1 hour }', 'such as 90s, 30m, 1h or 6h, or "cron"; found "1 hour"'],
    ['{ every: 3600 }', 'found 3600'],
    ['{ every: 0s }', 'from 1s to 1 year'],
    ['{ every: 500d }', 'from 1s to 1 year'],
    ['{ every: 1h, cron: "@daily" }', 'keep one of the two'],
    ['{ type: manual, every: 1h }', 'a manual agent has no schedule'],
    ['{ cron: "* * * * * *" }', 'it has 6 fields, not five'],
    ['{ cron: "61 * * * *" }', 'Invalid value for minute: 61'],
    ['{ cron: "0 0 31 2 *" }', 'no date matches it'],
    ['{ cron: 2026-12-01T00:00:00 }', 'it has 1 fields, not five'],
    ['{ type: hourly }', 'One of manual, schedule is expected, not "hourly"'],
    ['schedule', 'trigger: expected "manual", or a block'],
    ['[]', 'trigger: An object is expected, not a list.'],
  ])('is refused: %s', (written, words) => {
    expect(complaint(written)).toContain(words);
  });
});

describe('times', () => {
  const start = new Date(2026, 10, 16, 8, 30).getTime();

  it('of an interval count from the last run', () => {
    expect(nextTime(schedule('{ every: 6h }'), start)).toBe(start + 6 * HOUR);
    expect(timesBetween(schedule('{ every: 1h }'), start, start + 3 * HOUR)).toBe(3);
    expect(timesBetween(schedule('{ every: 1h }'), start, start + HOUR - 1)).toBe(0);
    expect(timesBetween(schedule('{ every: 1h }'), start, start - DAY)).toBe(0);
  });

  it('of a cron pattern are those of the clock on the wall', () => {
    const workdays = schedule('{ cron: "0 9 * * 1-5" }');
    // 16 November 2026 is a Monday.
    expect(nextTime(workdays, start)).toBe(new Date(2026, 10, 16, 9).getTime());
    expect(nextTime(workdays, new Date(2026, 10, 20, 9).getTime())).toBe(new Date(2026, 10, 23, 9).getTime());
    expect(timesBetween(workdays, start, start + 7 * DAY)).toBe(5);
  });

  it('are not counted for ever', () => {
    expect(timesBetween(schedule('{ cron: "* * * * *" }'), start, start + 365 * DAY)).toBe(1000);
  });
});

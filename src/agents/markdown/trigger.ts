/** When an agent runs automatically: never, at an interval, or by a cron pattern. */

import { DAY, HOUR, MINUTE } from '../../kernel/clock.ts';
import { z } from '../../kernel/zod.ts';
import { cronProblem, nextCronTime } from './cron.ts';

const UNITS = { s: 1000, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY } as const;
const INTERVAL = /^(\d{1,6}(?:\.\d{1,3})?)\s*(s|m|h|d|w)$/;
const LONGEST = 366 * DAY;

export type Trigger =
  | { readonly type: 'manual' }
  /** `interval` is that of `every` in milliseconds. */
  | { readonly type: 'schedule'; readonly every: string; readonly interval: number }
  | { readonly type: 'schedule'; readonly cron: string };

export type Schedule = Extract<Trigger, { type: 'schedule' }>;

/** "90s", "1h", "6h" → milliseconds, from a second to a year. */
function readInterval(text: string): number | undefined {
  const [, number, unit] = INTERVAL.exec(text) ?? [];
  if (number === undefined) return undefined;
  const interval = Math.round(Number(number) * UNITS[unit as keyof typeof UNITS]);
  return interval >= 1000 && interval <= LONGEST ? interval : undefined;
}

const shape = z.strictObject({
  type: z.enum(['manual', 'schedule']).optional(),
  every: z.unknown().optional(),
  cron: z.unknown().optional(),
});

export const TRIGGER_KEYS = Object.keys(shape.shape);

/** Whether it is written as `trigger: manual` or as a block. */
export const trigger = z
  .union([z.literal('manual').transform((type) => ({ type })), shape])
  .transform((given, context): Trigger => {
    const { every, cron } = given as z.output<typeof shape>;
    const wrong = (path: string, message: string): Trigger => {
      context.addIssue({ code: 'custom', path: path === '' ? [] : [path], message });
      return { type: 'manual' };
    };
    const isScheduled = every !== undefined || cron !== undefined;
    if ((given.type ?? (isScheduled ? 'schedule' : 'manual')) === 'manual') {
      if (!isScheduled) return { type: 'manual' };
      return wrong(
        'type',
        'a manual agent has no schedule; write "type: schedule", or remove "every" and "cron"',
      );
    }
    if (every !== undefined && cron !== undefined) {
      return wrong('cron', '"every" is set too; keep one of the two');
    }
    if (cron !== undefined) {
      const problem = typeof cron === 'string' ? cronProblem(cron) : 'it is not a text';
      if (problem !== undefined) {
        return wrong('cron', `expected a cron pattern such as "0 9 * * 1-5"; ${problem}`);
      }
      return { type: 'schedule', cron: cron as string };
    }
    const interval = typeof every === 'string' ? readInterval(every.trim()) : undefined;
    if (interval === undefined) {
      const found = every === undefined ? 'nothing' : JSON.stringify(every);
      return wrong(
        every === undefined ? '' : 'every',
        `expected "every" with a time from 1s to 1 year such as 90s, 30m, 1h or 6h, or "cron"; found ${found}`,
      );
    }
    return { type: 'schedule', every: (every as string).trim(), interval };
  });

/** The first time after a moment, in milliseconds; undefined when there will be none. */
export function nextTime(schedule: Schedule, after: number): number | undefined {
  return 'cron' in schedule ? nextCronTime(schedule.cron, after) : after + schedule.interval;
}

/** Nobody needs the exact number of a thousand. */
const MOST_COUNTED = 1000;

/** How many times lie after one moment and not after another. */
export function timesBetween(schedule: Schedule, after: number, until: number): number {
  if (!('cron' in schedule)) return Math.max(0, Math.floor((until - after) / schedule.interval));
  let count = 0;
  for (let time = nextTime(schedule, after); time !== undefined && time <= until; count++) {
    if (count === MOST_COUNTED) break;
    time = nextTime(schedule, time);
  }
  return count;
}

export function describeTrigger(given: Trigger): string {
  if (given.type === 'manual') return 'manual';
  return 'cron' in given ? `schedule (cron ${given.cron})` : `schedule (every ${given.every})`;
}

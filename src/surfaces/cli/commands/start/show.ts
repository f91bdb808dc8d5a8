/** Output of `keepsake start`: the schedule, and the result of each run. */
import type { ScheduledAgent, SchedulerEvent } from '../../../../administration/agents-schedule.ts';
import { toKeepsakeError } from '../../../../kernel/errors.ts';
import type { Context } from '../../context.ts';
import { oneLine } from '../../terminal/printable.ts';
import { shortTime } from '../../terminal/short-time.ts';
import { counted } from '../../terminal/sizes.ts';
import { truncate } from '../../terminal/width.ts';

const WIDEST = 100;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

export function scheduleLines(agents: readonly ScheduledAgent[], { clock, output }: Context): string[] {
  const now = clock.now();
  return agents.map(({ name, trigger, next }) => {
    const when = next === null ? 'never again' : next <= now ? 'now' : shortTime(next, now);
    return `${output.paint('bold', oneLine(name))} ${oneLine(trigger)}, next ${when}`;
  });
}

function eventLine(event: SchedulerEvent, { clock, output }: Context): string {
  const { paint } = output;
  const name = paint('bold', oneLine(event.agent));
  switch (event.type) {
    case 'missed':
      return `${name} missed ${counted(event.times, 'run')} since ${shortTime(event.since, clock.now())}; one run makes up for it`;
    case 'interrupted':
      return `${name} was interrupted ${shortTime(event.since, clock.now())}: its process ended before it did; it is run again`;
    case 'skipped':
      return `${name} skipped: ${event.reason}`;
    case 'started':
      return `${name} started ${shortTime(event.at, clock.now())}`;
    case 'completed':
      return `${name} ${paint('green', '✓')} ${seconds(event.ms)}: ${truncate(oneLine(event.text), WIDEST)}`;
    case 'failed': {
      const { message, hint } = toKeepsakeError(event.error);
      const help = hint === undefined ? '' : ` ${hint}`;
      return `${name} ${paint('red', '✗')} ${seconds(event.ms)}: ${oneLine(`${message}${help}`)}`;
    }
  }
}

/** For programs, one JSON document per line. */
export function showEvent(event: SchedulerEvent, context: Context): void {
  const { output } = context;
  const { json, quiet } = output;
  if (quiet && event.type !== 'failed') return;
  const plain = event.type === 'failed' ? { ...event, error: toKeepsakeError(event.error) } : event;
  process.stdout.write(`${json ? output.jsonLine(plain) : eventLine(event, context)}\n`);
}

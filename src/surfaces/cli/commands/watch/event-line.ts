/** One event as one line: when, what, of whom, and what there is to know about it. */
import type { KeepsakeEvent } from '../../../../kernel/events.ts';
import type { Paint } from '../../terminal/paint.ts';
import { oneLine } from '../../terminal/printable.ts';
import { shortTime } from '../../terminal/short-time.ts';

const WIDEST_TYPE = 22;
/** Told already, or of no use in a line. */
const ENVELOPE = new Set(['seq', 'at', 'type', 'agent', 'via', 'session', 'receipt', 'ops', 'summary']);

const COLOURS = {
  wrote: 'green',
  blocked: 'red',
  failed: 'red',
  forgotten: 'yellow',
  pruned: 'yellow',
} as const;

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(' ');
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

export function eventLine(event: KeepsakeEvent, now: number, paint: Paint): string {
  const colour = COLOURS[event.type.split('.')[1] as keyof typeof COLOURS];
  const type = event.type.padEnd(WIDEST_TYPE);
  const facts = Object.entries(event)
    .filter(([name, value]) => !ENVELOPE.has(name) && value !== undefined && value !== null)
    .map(([name, value]) => `${paint('dim', `${name}=`)}${valueText(value)}`);
  return [
    paint('dim', shortTime(event.at, now)),
    colour === undefined ? type : paint(colour, type),
    ...(event.agent === undefined ? [] : [paint('bold', oneLine(event.agent))]),
    ...facts,
    paint('dim', `via ${event.via}`),
  ].join('  ');
}

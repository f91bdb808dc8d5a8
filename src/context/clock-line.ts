/** The first line of a prompt: date and time. */

export type ClockPrecision = 'minute' | 'hour' | 'day';

/**
 * Providers cache a prompt up to the first character that differs from the last call, and this line stands first. So it
 * is coarse, and the caller passes the time at which the run began, not the time of each call: then all calls of a run
 * begin with the same text.
 */
export function clockLine(now: number, precision: ClockPrecision, timeZone: string): string {
  const parts = formatFor(timeZone).formatToParts(now);
  const part = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  const day = `${part.weekday}, ${part.year}-${part.month}-${part.day}`;
  if (precision === 'day') return `Current date: ${day} (${timeZone}).`;
  const minute = precision === 'minute' ? part.minute : '00';
  return `Current date and time: ${day} ${part.hour}:${minute} (${timeZone}).`;
}

/** Kept, because making one takes longer than all the rest of a prompt. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(timeZone, format);
  return format;
}

/** The dates of the public recall benchmarks, each set in its own way of writing them. */

const YEAR_FIRST = /(\d{4})[-/年](\d{1,2})[-/月](\d{1,2})/;
const DAY_FIRST = /(\d{1,2}) ([A-Z][a-z]+),? (\d{4})/;
const TIME = /(\d{1,2}):(\d{2})\s*(am|pm)?/i;
const NOON = 12 * 60;

/** Milliseconds since 1970, or undefined when there is no date in it. */
export function readDate(text: string | undefined): number | undefined {
  const day = dayOf(text ?? '');
  return day === undefined ? undefined : day + minutesOf(text ?? '') * 60_000;
}

function dayOf(text: string): number | undefined {
  const [, year, month, day] = YEAR_FIRST.exec(text) ?? [];
  if (year !== undefined) return Date.UTC(Number(year), Number(month) - 1, Number(day));
  const written = DAY_FIRST.exec(text)?.[0];
  const read = written === undefined ? Number.NaN : Date.parse(`${written} UTC`);
  return Number.isNaN(read) ? undefined : read;
}

function minutesOf(text: string): number {
  const [, hour, minute, half] = TIME.exec(text) ?? [];
  if (hour === undefined) return NOON;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/pm/i.test(half) ? 12 : 0);
  return hours * 60 + Number(minute);
}

/** Formats and parses times of transcripts, exports and other systems. */
import { KeepsakeError } from '../../kernel/errors.ts';

/** The years 0000 to 9999: what four digits can say. */
export const MIN_TIME = -62_167_219_200_000;
export const MAX_TIME = 253_402_300_799_999;

const DATE = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const HOUR_AND_MINUTE = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const FRACTION = String.raw`(?:[.,]\d{1,9})?`;
const ZONE = String.raw`(?:Z|[+-]\d\d:?\d\d)?`;

/** A time as it stands in the heading of a block; the original system writes microseconds. */
export const HEADING_TIME = String.raw`${DATE}T${HOUR_AND_MINUTE}:[0-5]\d${FRACTION}${ZONE}`;

const ANY_TIME = new RegExp(
  String.raw`^(${DATE})(?:[T ](${HOUR_AND_MINUTE})(:[0-5]\d)?(${FRACTION}) ?(${ZONE}))?$`,
);

export function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= MIN_TIME && (value as number) <= MAX_TIME;
}

export function checkTime(at: number, what: string): number {
  if (isTime(at)) return at;
  throw new KeepsakeError('INVALID_INPUT', `${what} must be whole milliseconds within the years 0 to 9999.`, {
    hint: 'Give milliseconds since the Unix epoch, for example Date.now().',
  });
}

/** `YYYY-MM-DDTHH:MM:SS`, in UTC. */
export function toSeconds(at: number): string {
  return new Date(at).toISOString().slice(0, 19);
}

/** `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
export function toIso(at: number): string {
  return new Date(at).toISOString();
}

/** Milliseconds of a written time, or undefined. A time without a zone is UTC. */
export function parseTime(text: string): number | undefined {
  const match = ANY_TIME.exec(text);
  if (match === null) return undefined;
  const [, date, minutes = '00:00', seconds = ':00', fraction = '', zone = ''] = match;
  const milliseconds = fraction.slice(1, 4).padEnd(3, '0');
  const offset = zone === '' || zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  const at = Date.parse(`${date}T${minutes}${seconds}.${milliseconds}${offset}`);
  return isTime(at) ? at : undefined;
}

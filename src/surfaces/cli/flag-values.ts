/** Parses the text of a flag into the value that the verb's schema expects. */
import { InvalidArgumentError } from 'commander';

export type FlagKind = 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'json';

export interface FlagType {
  readonly kind: FlagKind;
  readonly choices: readonly string[];
  readonly nullable: boolean;
}

const PLACEHOLDERS: Readonly<Record<FlagKind, string>> = {
  text: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'true|false',
  time: 'time',
  json: 'json',
};

/** Placeholder of choices that are too many to be one. */
export const LONG_LIST = 'choice';

/** What stands between the angle brackets in the help. */
export function placeholderOf({ kind, choices }: FlagType): string {
  if (choices.length === 0) return PLACEHOLDERS[kind];
  const list = choices.join('|');
  return list.length <= 16 ? list : LONG_LIST;
}

function number(text: string, whole: boolean): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || (whole && !Number.isInteger(value))) {
    throw new InvalidArgumentError(whole ? 'Expected a whole number.' : 'Expected a number.');
  }
  return value;
}

const LOCAL_TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/;

/** JavaScript takes the 30th of February for the 2nd of March. */
function isDay(date: string): boolean {
  const [year, month, day] = date.split('-').map(Number);
  return day! <= new Date(Date.UTC(year!, month!, 0)).getUTCDate();
}

/** Milliseconds, or ISO 8601. A time without a zone is one of the clock on the wall, as everywhere on a command line. */
function time(text: string): number {
  if (/^\d+$/.test(text) && text.length > 4) return number(text, true);
  const isLocal = LOCAL_TIME.test(text);
  // JavaScript reads a date without a time as UTC; the midnight that is meant is the local one.
  const at = Date.parse(isLocal ? `${text.slice(0, 10)}T${text.slice(11) || '00:00'}` : text);
  const isTime = isLocal || /^\d{4}-\d\d-\d\dT/.test(text);
  if (isTime && !isDay(text.slice(0, 10))) {
    throw new InvalidArgumentError(`${text.slice(0, 10)} is not a date that exists.`);
  }
  if (Number.isNaN(at) || !isTime) {
    throw new InvalidArgumentError(
      'Expected a time such as 2026-11-03, "2026-11-03 14:00", 2026-11-03T14:00:00Z, or milliseconds since 1970.',
    );
  }
  return at;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('Expected JSON, for example \'{"project":"atlas"}\'.');
  }
}

/** Stands for null until the input is put together, because commander takes a null for an empty text. */
export const NOTHING = Symbol('null');

export function parseFlag({ kind, choices, nullable }: FlagType, text: string): unknown {
  if (nullable && (text === 'null' || (kind === 'time' && text === 'never'))) return NOTHING;
  if (choices.length > 0 && !choices.includes(text)) {
    throw new InvalidArgumentError(`Expected one of ${choices.join(', ')}.`);
  }
  switch (kind) {
    case 'integer':
      return number(text, true);
    case 'number':
      return number(text, false);
    case 'time':
      return time(text);
    case 'json':
      return json(text);
    case 'boolean':
      return text === 'true';
    case 'text':
      return text;
  }
}

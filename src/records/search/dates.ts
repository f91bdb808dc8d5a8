/** Parses dates in a query: "last Tuesday", "on 7 May", "two weeks ago", "2023年5月". Days are in UTC. */
import { analyze } from '../../kernel/analysis.ts';
import { DAY } from '../../kernel/clock.ts';

export interface AskedTime {
  readonly from: number;
  /** The first instant after it. */
  readonly to: number;
  /** The words that say it, as the text index holds them. */
  readonly terms: readonly string[];
}

type Span = readonly [from: number, to: number];

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const NUMBERS = 'a one two three four five six seven eight nine ten eleven twelve'.split(' ');
const HAN_NUMBERS = '零一二三四五六七八九十';
const MONTH = MONTHS.map((name) => `${name}|${name.slice(0, 3)}\\.?`).join('|');
const ORDINAL = '(?:st|nd|rd|th)?';

const dayAt = (now: number): number => Math.floor(now / DAY) * DAY;
const days = (from: number, count = 1): Span => [from, from + count * DAY];
const monthOf = (year: number, month: number): Span => [
  Date.UTC(year, month, 1),
  Date.UTC(year, month + 1, 1),
];
const yearOf = (year: number): Span => [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)];
const monthNumber = (name: string): number =>
  MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3)));
/** Monday is the first day. */
const weekAt = (now: number): number => dayAt(now) - ((new Date(now).getUTCDay() + 6) % 7) * DAY;

function dayOf(year: number, month: number, day: number): Span | undefined {
  const from = Date.UTC(year, month, day);
  return new Date(from).getUTCMonth() === month ? days(from) : undefined;
}

/** Without a year the last such day is meant. */
function lastDayOf(now: number, month: number, day: number): Span | undefined {
  const year = new Date(now).getUTCFullYear();
  const span = dayOf(year, month, day);
  return span !== undefined && span[0] > now ? dayOf(year - 1, month, day) : span;
}

function lastMonthOf(now: number, month: number): Span {
  const year = new Date(now).getUTCFullYear();
  return monthOf(Date.UTC(year, month, 1) > now ? year - 1 : year, month);
}

function numberOf(word: string): number {
  if (/^\d+$/.test(word)) return Number(word);
  const han = HAN_NUMBERS.indexOf(word);
  if (word === '两') return 2;
  if (han >= 0) return han;
  return Math.max(1, NUMBERS.indexOf(word.toLowerCase()));
}

/** Who says "two weeks ago" does not count the days. */
function ago(now: number, count: number, unit: string): Span | undefined {
  if (count > 1_000) return undefined;
  const today = dayAt(now);
  const date = new Date(now);
  if (/^(?:day|天|日)/i.test(unit)) return days(today - count * DAY);
  if (/^(?:week|周|星期)/i.test(unit)) return days(today - (7 * count + 3) * DAY, 7);
  if (/^(?:month|个?月)/i.test(unit)) return monthOf(date.getUTCFullYear(), date.getUTCMonth() - count);
  return yearOf(date.getUTCFullYear() - count);
}

function around(now: number, which: string, unit: string): Span {
  const shift = /^(?:last|上|去)/i.test(which) ? -1 : 0;
  const date = new Date(now);
  if (/^(?:week|周|星期)/i.test(unit)) return days(weekAt(now) + 7 * shift * DAY, 7);
  if (/^(?:month|月)/i.test(unit)) return monthOf(date.getUTCFullYear(), date.getUTCMonth() + shift);
  return yearOf(date.getUTCFullYear() + shift);
}

/** The last such day before today. */
function weekday(now: number, name: string): Span {
  const wanted = WEEKDAYS.indexOf(name.toLowerCase());
  const back = (new Date(now).getUTCDay() - wanted + 7) % 7 || 7;
  return days(dayAt(now) - back * DAY);
}

type Read = (now: number, groups: readonly string[]) => Span | undefined;

/** The more exact forms stand first. */
const FORMS: readonly (readonly [RegExp, Read])[] = [
  [/\b(\d{4})-(\d{1,2})-(\d{1,2})\b/, (_, [y, m, d]) => dayOf(Number(y), Number(m) - 1, Number(d))],
  [/(\d{4})年(\d{1,2})月(\d{1,2})[日号]/, (_, [y, m, d]) => dayOf(Number(y), Number(m) - 1, Number(d))],
  [/(\d{4})年(\d{1,2})月/, (_, [y, m]) => monthOf(Number(y), Number(m) - 1)],
  [/(\d{1,2})月(\d{1,2})[日号]/, (now, [m, d]) => lastDayOf(now, Number(m) - 1, Number(d))],
  [
    new RegExp(`\\b(\\d{1,2})${ORDINAL}(?: of)? (${MONTH})\\b(?:,? (\\d{4}))?`, 'i'),
    (now, [d, m, y]) =>
      y === undefined
        ? lastDayOf(now, monthNumber(m!), Number(d))
        : dayOf(Number(y), monthNumber(m!), Number(d)),
  ],
  [
    new RegExp(`\\b(${MONTH}) (\\d{1,2})${ORDINAL}\\b(?:,? (\\d{4}))?`, 'i'),
    (now, [m, d, y]) =>
      y === undefined
        ? lastDayOf(now, monthNumber(m!), Number(d))
        : dayOf(Number(y), monthNumber(m!), Number(d)),
  ],
  [new RegExp(`\\b(${MONTH}),? (\\d{4})\\b`, 'i'), (_, [m, y]) => monthOf(Number(y), monthNumber(m!))],
  // "may" and "march" are verbs as well: a month alone needs a capital letter and a preposition.
  [
    new RegExp(
      `\\b(?:in|during|last|this|since) (${MONTHS.map((name) => name[0]!.toUpperCase() + name.slice(1)).join('|')})\\b`,
    ),
    (now, [m]) => lastMonthOf(now, monthNumber(m!)),
  ],
  [
    new RegExp(`\\b(\\d{1,3}|${NUMBERS.join('|')}) (days?|weeks?|months?|years?) ago\\b`, 'i'),
    (now, [count, unit]) => ago(now, numberOf(count!), unit!),
  ],
  [
    /(\d{1,3}|[一二两三四五六七八九十])个?(天|日|周|星期|月|年)[以之]?前/,
    (now, [count, unit]) => ago(now, numberOf(count!), unit!),
  ],
  [/\byesterday\b|昨天/i, (now) => days(dayAt(now) - DAY)],
  [/前天/, (now) => days(dayAt(now) - 2 * DAY)],
  [/\btoday\b|今天/i, (now) => days(dayAt(now))],
  [/\b(last|this) (week|month|year)\b/i, (now, [which, unit]) => around(now, which!, unit!)],
  [/(上|这)个?(周|星期|月)/, (now, [which, unit]) => around(now, which!, unit!)],
  [/(去|今)年/, (now, [which]) => around(now, which!, '年')],
  [new RegExp(`\\b(?:last |on |this )(${WEEKDAYS.join('|')})\\b`, 'i'), (now, [name]) => weekday(now, name!)],
  [/\bin (\d{4})\b|(\d{4})年/i, (_, [english, chinese]) => yearOf(Number(english ?? chinese))],
];

/** No date is told without one of these; most questions have none, and that is all it costs them. */
const HINT =
  /\d|\bago\b|\b(?:yester|to)day\b|\b(?:last|this|on|in|during|since) [a-z]|[昨前今去]|[上这]个?[周月星]/i;
/** Later ones tell nothing about what to look for. */
const MOST_CHARACTERS = 2_000;

/** The time that a question asks about, if it names one. */
export function timeAskedFor(query: string, now: number): AskedTime | undefined {
  const text = query.slice(0, MOST_CHARACTERS);
  if (!HINT.test(text)) return undefined;
  for (const [form, read] of FORMS) {
    const match = form.exec(text);
    if (match === null) continue;
    const span = read(now, match.slice(1));
    if (span === undefined || !(span[0] >= 0)) continue;
    return { from: span[0], to: span[1], terms: analyze(match[0]) };
  }
  return undefined;
}

/** Whether something was stored then, or holds since then. */
export function isOf(
  { createdAt, validFrom }: { readonly createdAt: number; readonly validFrom: number | null },
  { from, to }: AskedTime,
): boolean {
  const isWithin = (at: number): boolean => at >= from && at < to;
  return isWithin(createdAt) || (validFrom !== null && isWithin(validFrom));
}

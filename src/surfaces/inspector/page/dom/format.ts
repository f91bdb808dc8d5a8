/** Times, numbers and texts as people read them. */
import { h } from './elements.ts';

const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const DAY = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });
const AGO = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const COUNT = new Intl.NumberFormat();
const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, milliseconds: number])[] = [
  ['year', 31_536e6],
  ['month', 2_592e6],
  ['day', 864e5],
  ['hour', 36e5],
  ['minute', 6e4],
];

type Instant = number | null | undefined;

function timeElement(at: number, text: string, title?: string): HTMLTimeElement {
  return h('time', { datetime: new Date(at).toISOString(), title }, text);
}

/** By the clock of the browser. */
export const now = (): number => Date.now();

export function time(at: Instant): HTMLTimeElement | string {
  return at === null || at === undefined ? 'never' : timeElement(at, TIME.format(at));
}

/** The time of day; the date is its title. */
export function clock(at: number): HTMLTimeElement {
  return timeElement(at, CLOCK.format(at), TIME.format(at));
}

export function day(at: number): string {
  return DAY.format(at);
}

/** As people say it: "3 min. ago". The exact time is its title. */
export function ago(at: Instant): HTMLTimeElement | string {
  if (at === null || at === undefined) return 'never';
  const passed = at - now();
  const found = UNITS.find(([, milliseconds]) => Math.abs(passed) >= milliseconds);
  const text = found === undefined ? 'just now' : AGO.format(Math.round(passed / found[1]), found[0]);
  return timeElement(at, text, TIME.format(at));
}

export function number(value: number | null | undefined, digits = 2): string {
  return value === null || value === undefined ? '–' : value.toFixed(digits);
}

/** count(2, 'memory', 'memories') */
export function count(many: number, one?: string, several = `${one}s`): string {
  return one === undefined ? COUNT.format(many) : `${COUNT.format(many)} ${many === 1 ? one : several}`;
}

/** One line of a longer text. */
export function excerpt(text: string, most = 240): string {
  const line = text
    .slice(0, most * 2)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

/** `task_completion` → `task completion` */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

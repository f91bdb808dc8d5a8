/** The scale of a chart: its size, its numbers and its dates. */
import { count } from '../dom/format.ts';

export const HEIGHT = 170;
export const LEFT = 44;
export const BOTTOM = 20;
export const TOP = 8;
/** Between the lowest and the highest value. */
export const INNER_HEIGHT = HEIGHT - BOTTOM - TOP;

const DATE = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

export function shortDate(day: string): string {
  return DATE.format(Date.parse(day));
}

/** A round number that is not smaller: 7 → 10, 34 → 40, 180 → 200. */
export function roundUp(value: number): number {
  if (value <= 0) return 1;
  const size = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5].map((step) => step * size).find((step) => step >= value) ?? 10 * size;
}

/** 12,500 → 12.5k */
export function shortNumber(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toFixed(1))}M`;
  return value >= 1e4 ? `${Number((value / 1e3).toFixed(1))}k` : count(value);
}

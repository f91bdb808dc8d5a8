/** Short times in the local time zone. */
import { DAY } from '../../../kernel/clock.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const two = (number: number): string => String(number).padStart(2, '0');
const clockOf = (date: Date): string => `${two(date.getHours())}:${two(date.getMinutes())}`;

/** Midnight as the calendar has it, so that a day of 23 or 25 hours is still one day. */
function dayNumber(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY;
}

/** `today 14:03`, `yesterday 14:03`, `3 Nov 14:03`, `3 Nov 2025`. */
export function shortTime(at: number, now: number): string {
  const date = new Date(at);
  const today = new Date(now);
  const distance = dayNumber(date) - dayNumber(today);
  if (distance === 0) return `today ${clockOf(date)}`;
  if (distance === -1) return `yesterday ${clockOf(date)}`;
  if (distance === 1) return `tomorrow ${clockOf(date)}`;
  const day = `${date.getDate()} ${MONTHS[date.getMonth()]}`;
  return date.getFullYear() === today.getFullYear()
    ? `${day} ${clockOf(date)}`
    : `${day} ${date.getFullYear()}`;
}

/** `2026-11-03_14-03-22`: sorts by time and is a valid file name everywhere. */
export function fileTime(at: number): string {
  const date = new Date(at);
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}_${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join('-')}`;
}

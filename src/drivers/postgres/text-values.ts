/** Text as Postgres can hold it: a NUL, which it cannot, is written as two other characters and read back as itself. */
import type { Value } from './sql.ts';

/** A control character that texts hardly ever have; where one does, it is marked too. */
const MARK = '\u001a';
const NUL = `${MARK}0`;
const MARK_ITSELF = `${MARK}1`;

export function encodeText(text: string): string {
  if (!text.includes('\0') && !text.includes(MARK)) return text;
  return text.replaceAll(MARK, MARK_ITSELF).replaceAll('\0', NUL);
}

export function decodeText(text: string): string {
  return text.includes(MARK) ? text.replaceAll(NUL, '\0').replaceAll(MARK_ITSELF, MARK) : text;
}

export function encodeValue(value: Value): Value {
  if (typeof value === 'string') return encodeText(value);
  if (Array.isArray(value)) {
    return value.map((each: string | number | null) => (typeof each === 'string' ? encodeText(each) : each));
  }
  return value;
}

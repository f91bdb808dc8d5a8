/** Finds tables in Markdown and CSV, so that every chunk of a table has the header row. */
import type { Tables } from './chunk.ts';

/** A longer header would leave no room for rows. */
const MAX_HEADER = 1_000;

const isDelimiter = (line: string): boolean =>
  /^[\s|:-]*$/.test(line) && line.includes('-') && line.includes('|');
const isRow = (line: string): boolean => line.includes('|') && line.trim() !== '';

/** Index of the line after a table whose header is at `index`; undefined when there is none. */
export function tableEnd(
  lineAt: (index: number) => string,
  index: number,
  count: number,
): number | undefined {
  if (index + 1 >= count || !isRow(lineAt(index)) || !isDelimiter(lineAt(index + 1))) return undefined;
  let end = index + 2;
  while (end < count && isRow(lineAt(end))) end++;
  return end;
}

/** Where the records of a CSV file begin, then its length: a line break in quotes ends none. */
export function csvRecords(text: string): number[] {
  const offsets = [0];
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === '\n' || (char === '\r' && text[i + 1] !== '\n'))) offsets.push(i + 1);
  }
  if (offsets.at(-1) !== text.length) offsets.push(text.length);
  return offsets;
}

/** The header row of the table that an offset is in the rows of; empty when it is in none. */
export function headerAt(text: string, tables: Tables, index: number, at: number): string {
  const [start, body, end] = [tables.starts[index], tables.bodies[index], tables.ends[index]];
  if (start === undefined || body === undefined || end === undefined || at < body || at >= end) return '';
  return body - start > MAX_HEADER ? '' : text.slice(start, body);
}

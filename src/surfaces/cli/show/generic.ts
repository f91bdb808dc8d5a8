/** The default view of results: lists as tables, objects as keys and values, texts unchanged. */
import type { Context } from '../context.ts';
import { oneLine, printable } from '../terminal/printable.ts';
import { shortTime } from '../terminal/short-time.ts';
import { type Column, renderTable } from '../terminal/table.ts';
import { displayWidth, padEnd } from '../terminal/width.ts';

type Fields = Readonly<Record<string, unknown>>;
type Look = Pick<Context, 'output' | 'clock'>;

const INDENT = '  ';
/** More columns than this are not read; --json has them all. */
const MOST_COLUMNS = 6;
const WIDEST_COLUMN = 32;
/** Cells up to this width need no space of their own. */
const SHORT = 16;

export function showAnything(answer: unknown, context: Look): void {
  context.output.result(answer ?? null, {
    text: () => lines(answer, context),
    quiet: () => [answer].flat().flatMap(idOf),
  });
}

/** What a script continues with. */
function idOf(value: unknown): string[] {
  if (!isFields(value)) return value === null || value === undefined ? [] : [String(value)];
  const id = value.id ?? value.name;
  return typeof id === 'string' ? [id] : [];
}

function lines(value: unknown, context: Look): readonly string[] {
  if (Array.isArray(value)) return listLines(value, context);
  if (isFields(value)) return fieldLines(value, context);
  return value === null || value === undefined ? ['Nothing.'] : printable(String(value)).split('\n');
}

function listLines(values: readonly unknown[], context: Look): readonly string[] {
  if (values.length === 0) return ['Nothing.'];
  if (!values.every(isFields)) return values.map((value) => inOneLine('', value, context));
  return (
    tableLines(values, context) ??
    values.flatMap((value, i) => [...(i === 0 ? [] : ['']), ...fieldLines(value, context)])
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined when the rows have nothing that fits a cell. */
function tableLines(rows: readonly Fields[], context: Look): string[] | undefined {
  const telling = tellingKeys(rows, context);
  // The longest texts get the space that is left; where all are short, the order stays.
  const [longest] = telling.toSorted((a, b) => widthOf(rows, b, context) - widthOf(rows, a, context));
  const long = longest !== undefined && widthOf(rows, longest, context) > SHORT ? longest : telling.at(-1);
  if (long === undefined) return undefined;
  const column = (key: string): Column<Fields> => ({
    title: wordsOfKey(key).toUpperCase(),
    cell: (row) => inOneLine(key, row[key], context),
    max: WIDEST_COLUMN,
    align: rows.every((row) => typeof row[key] === 'number' && !isTime(key)) ? 'right' : 'left',
    needsTitle: rows.some((row) => typeof row[key] !== 'string'),
  });
  const { width, paint } = context.output;
  const columns = telling.filter((key) => key !== long).map(column);
  return renderTable({ rows, columns, long: column(long) }, width, paint);
}

/** Keys in the order of the answer: first those that tell rows apart, on a terminal only as many as can be read. */
function tellingKeys(rows: readonly Fields[], { output }: Look): string[] {
  const keys = [...new Set(rows.flatMap(Object.keys))].filter((key) =>
    rows.every((row) => !isNested(row[key])),
  );
  if (output.width === undefined || keys.length <= MOST_COLUMNS) return keys;
  const differs = (key: string): boolean => rows.some((row) => row[key] !== rows[0]![key]);
  const ranked = keys.toSorted((a, b) => Number(differs(b)) - Number(differs(a)));
  const chosen = new Set(ranked.slice(0, MOST_COLUMNS));
  return keys.filter((key) => chosen.has(key));
}

function widthOf(rows: readonly Fields[], key: string, context: Look): number {
  return rows.reduce((most, row) => Math.max(most, displayWidth(inOneLine(key, row[key], context))), 0);
}

/** A list of plain values fits a line; what has fields of its own does not. */
function isNested(value: unknown): boolean {
  return (
    isFields(value) ||
    (Array.isArray(value) && value.some((each) => typeof each === 'object' && each !== null))
  );
}

function fieldLines(fields: Fields, context: Look): string[] {
  const { paint } = context.output;
  const shown = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  const width = Math.max(0, ...shown.map(([key]) => displayWidth(wordsOfKey(key)))) + INDENT.length;
  return shown.flatMap(([key, value]) => {
    const name = wordsOfKey(key);
    if (!isNested(value) && !isText(value)) {
      return [`${paint('dim', padEnd(name, width))}${inOneLine(key, value, context)}`.trimEnd()];
    }
    return [paint('dim', name), ...lines(value, context).map((line) => `${INDENT}${line}`.trimEnd())];
  });
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim().includes('\n');

/** Keys of times end in "At", as in createdAt. */
const isTime = (key: string): boolean => key === 'at' || /[a-z]At$/.test(key);

/** `createdAt` → `created at`. */
const wordsOfKey = (key: string): string =>
  oneLine(key).replace(/[a-z][A-Z]/g, ([before, after]) => `${before} ${after!.toLowerCase()}`);

function inOneLine(key: string, value: unknown, context: Look): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' && isTime(key)) return shortTime(value, context.clock.now());
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && !isNested(value))
    return value.map((each) => inOneLine('', each, context)).join(', ');
  return oneLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

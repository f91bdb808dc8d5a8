/** Tables that fit the terminal; on a narrow one, each row is its text and a line of details below. */
import type { Format, Paint } from './paint.ts';
import { displayWidth, padEnd, padStart, truncate } from './width.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly align?: 'left' | 'right';
  /** Widest that the column gets on a terminal; the rest is cut. */
  readonly max?: number;
  readonly paint?: Format;
  /** Whether the value says nothing without its title. */
  readonly needsTitle?: boolean;
}

export interface Table<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** The column that takes what space is left, shown last. */
  readonly long: Column<Row>;
  /** The long column gets at least this much, or moves to a line of its own. */
  readonly leastLong?: number;
  /** Lines below a row, for example an explanation. */
  readonly below?: (row: Row) => readonly string[];
}

const GAP = '  ';
/** A long text in fewer columns than this is a staircase, not something to read. */
const LEAST_READABLE = 40;

interface Layout {
  /** The long texts, cut to no less than could be shown. */
  readonly texts: readonly string[];
  readonly cells: readonly (readonly string[])[];
  readonly widths: readonly number[];
  /** What the columns leave for the long one. */
  readonly left: number;
}

function layOut<Row>({ rows, columns, long }: Table<Row>, width: number | undefined): Layout {
  // A memory may have a million characters, of which a terminal shows one line.
  const texts = rows.map((row) => (width === undefined ? long.cell(row) : truncate(long.cell(row), width)));
  const cells = rows.map((row) =>
    columns.map(({ cell, max }) =>
      width === undefined || max === undefined ? cell(row) : truncate(cell(row), max),
    ),
  );
  const widths = columns.map(({ title }, i) =>
    cells.reduce((most, line) => Math.max(most, displayWidth(line[i]!)), displayWidth(title)),
  );
  const used = widths.reduce((sum, each) => sum + each + GAP.length, 0);
  return { texts, cells, widths, left: width === undefined ? Number.POSITIVE_INFINITY : width - used };
}

function asColumns<Row>(table: Table<Row>, { texts, cells, widths, left }: Layout, paint: Paint): string[] {
  const { rows, columns, long, below = () => [] } = table;
  const line = (texts: readonly string[], format: (column: Column<Row>) => Format | undefined): string =>
    texts
      .map((text, i) => {
        const column = columns[i]!;
        const padded = column.align === 'right' ? padStart(text, widths[i]!) : padEnd(text, widths[i]!);
        const style = format(column);
        return style === undefined ? padded : paint(style, padded);
      })
      .join(GAP);
  const titles = line(
    columns.map(({ title }) => title),
    () => undefined,
  );
  return [
    paint('dim', `${titles}${GAP}${long.title}`),
    ...rows.flatMap((row, i) => [
      `${line(cells[i]!, (column) => column.paint)}${GAP}${truncate(texts[i]!, left)}`.trimEnd(),
      ...below(row).map((extra) => GAP + extra),
    ]),
  ];
}

/** As many items on a line as fit. */
function flow(items: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    const joined = last === undefined ? item : `${last} · ${item}`;
    if (last !== undefined && displayWidth(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(truncate(item, width));
  }
  return lines;
}

function asParagraphs<Row>(
  table: Table<Row>,
  { texts, cells }: Layout,
  width: number,
  paint: Paint,
): string[] {
  const { rows, columns, below = () => [] } = table;
  return rows.flatMap((row, i) => {
    const small = cells[i]!.map((text, c) => {
      const { title, needsTitle = false } = columns[c]!;
      return needsTitle ? `${title.toLowerCase()} ${text}` : text;
    });
    return [
      ...(i === 0 ? [] : ['']),
      texts[i]!,
      ...flow(small, width - GAP.length).map((line) => GAP + paint('dim', line)),
      ...below(row).map((extra) => GAP + extra),
    ];
  });
}

/** Without a width (a file, a pipe) nothing is cut, so that what was asked for can be searched. */
export function renderTable<Row>(table: Table<Row>, width: number | undefined, paint: Paint): string[] {
  const layout = layOut(table, width);
  if (width === undefined) return asColumns(table, layout, paint);
  const longest = layout.texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0);
  const fits = layout.left >= Math.min(longest, table.leastLong ?? LEAST_READABLE);
  return fits ? asColumns(table, layout, paint) : asParagraphs(table, layout, width, paint);
}

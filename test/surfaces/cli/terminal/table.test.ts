/** Tables: aligned in columns, within the width, and as paragraphs where columns would be too narrow. */
import { describe, expect, it } from 'vitest';
import { plain } from '../../../../src/surfaces/cli/terminal/paint.ts';
import { renderTable, type Table } from '../../../../src/surfaces/cli/terminal/table.ts';
import { displayWidth } from '../../../../src/surfaces/cli/terminal/width.ts';

interface Row {
  readonly id: string;
  readonly size: number;
  readonly text: string;
}

const LONG = 'A text that is much longer than the terminal is wide, so that it has to be cut somewhere.';
const rows: Row[] = [
  { id: 'one', size: 1, text: 'Short.' },
  { id: '二', size: 1000, text: LONG },
];

const table: Table<Row> = {
  rows,
  columns: [
    { title: 'ID', cell: ({ id }) => id },
    { title: 'SIZE', cell: ({ size }) => String(size), align: 'right', needsTitle: true },
  ],
  long: { title: 'TEXT', cell: ({ text }) => text },
};

describe('renderTable', () => {
  it('cuts nothing when there is no terminal', () => {
    expect(renderTable(table, undefined, plain)).toEqual([
      'ID   SIZE  TEXT',
      'one     1  Short.',
      `二   1000  ${LONG}`,
    ]);
  });

  it('fits the terminal', () => {
    const lines = renderTable(table, 60, plain);
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/^二 {3}1000 {2}A text that is much.*…$/);
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(60);
  });

  it('gives the text a line of its own where it would get too little', () => {
    expect(renderTable(table, 40, plain)).toEqual([
      'Short.',
      '  one · size 1',
      '',
      'A text that is much longer than the ter…',
      '  二 · size 1000',
    ]);
  });

  it('stays in columns when all texts are short enough', () => {
    const short = { ...table, rows: [rows[0]!] };
    expect(renderTable(short, 20, plain)).toEqual(['ID   SIZE  TEXT', 'one     1  Short.']);
  });

  it('breaks the small print instead of overflowing', () => {
    const wide = { ...table, rows: [{ id: 'x'.repeat(30), size: 123_456, text: LONG }] };
    const lines = renderTable(wide, 40, plain);
    expect(lines.slice(1)).toEqual([`  ${'x'.repeat(30)}`, '  size 123456']);
  });

  it('cuts a column at its own limit, on a terminal only', () => {
    const limited = {
      ...table,
      columns: [{ title: 'ID', cell: () => 'abcdefghij', max: 5 }],
    };
    expect(renderTable(limited, 100, plain)[1]).toBe('abcd…  Short.');
    expect(renderTable(limited, undefined, plain)[1]).toBe('abcdefghij  Short.');
  });

  it('puts extra lines below their row', () => {
    const explained = { ...table, below: ({ id }: Row) => [`why ${id}`] };
    expect(renderTable(explained, undefined, plain)[2]).toBe('  why one');
    expect(renderTable(explained, 40, plain)[2]).toBe('  why one');
  });

  it('paints cells after padding, so that colours do not disturb the columns', () => {
    const painted = { ...table, columns: [{ ...table.columns[0]!, paint: 'bold' as const }] };
    const lines = renderTable(painted, undefined, (format, text) => `<${String(format)}>${text}</>`);
    expect(lines).toEqual(['<dim>ID   TEXT</>', '<bold>one</>  Short.', `<bold>二 </>  ${LONG}`]);
  });
});

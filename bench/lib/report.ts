/** Results as a table for people, as JSON for machines, and as a small chart for the documentation. */
import type { Row, SuiteResult } from './suite.ts';

export function table(rows: readonly Row[]): string {
  const groups = Map.groupBy(rows, (row) => Object.keys(row).join('|'));
  return [...groups.values()].map(oneTable).join('\n\n');
}

function oneTable(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0]!);
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const rule = columns.map((_, i) => (i === 0 ? '---' : '---:'));
  const body = rows.map((row) => line(columns.map((column) => cell(row[column]!))));
  return [line(columns.map((column) => (column === 'what' ? '' : column))), line(rule), ...body].join('\n');
}

const cell = (value: string | number): string =>
  typeof value === 'number' ? value.toLocaleString('en') : value;

const WIDTH = 640;
const BAR = 18;
const GAP = 10;
const LABEL = 260;

/** Horizontal bars of the headline ratios, readable in light and dark pages. */
export function chart(title: string, { headline }: SuiteResult): string {
  const most = Math.max(...headline.map(({ value }) => value));
  const height = 40 + headline.length * (BAR + GAP);
  const bars = headline.map(({ name, value, aim }, i) => {
    const y = 34 + i * (BAR + GAP);
    const width = Math.max(2, ((WIDTH - LABEL - 110) * value) / most);
    const note = aim === undefined ? '' : ` (aim ${aim})`;
    return `<text x="${LABEL - 8}" y="${y + 13}" text-anchor="end">${escapeXml(name)}</text><rect x="${LABEL}" y="${y}" width="${width.toFixed(0)}" height="${BAR}" rx="3" fill="#4f7cac"/><text x="${LABEL + width + 6}" y="${y + 13}">${value}${escapeXml(note)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="system-ui, sans-serif" font-size="12" fill="#808080" role="img"><title>${escapeXml(title)}</title><text x="8" y="20" font-size="13">${escapeXml(title)}</text>${bars.join('')}</svg>\n`;
}

const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

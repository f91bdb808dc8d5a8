/** The sheets of an Excel workbook as tables, cited by sheet and row. */
import { KeepsakeError } from '../../kernel/errors.ts';
import { PlacedText, type ReadDocument } from './placed-text.ts';
import { relationsOf, tableRow, tableRule, xmlNodes } from './xml.ts';
import { ZipFiles } from './zip.ts';

const MAIN = 'xl/workbook.xml';
/** What is further to the right is not a table that anybody reads. */
const MAX_COLUMNS = 256;
const DAY_MS = 86_400_000;
/** Numbers of the formats for dates that every workbook has. */
const isBuiltInDate = (format: number): boolean =>
  (format >= 14 && format <= 22) || (format >= 27 && format <= 36) || (format >= 45 && format <= 58);

interface Workbook {
  readonly strings: readonly string[];
  /** By style of a cell. */
  readonly isDate: readonly boolean[];
  readonly epoch: number;
}

export function xlsxDocument(bytes: Uint8Array): ReadDocument {
  const files = new ZipFiles(bytes);
  const main = files.text(MAIN);
  if (main === undefined) throw new KeepsakeError('INVALID_INPUT', 'It is not an Excel workbook.');
  const book: Workbook = {
    strings: sharedStrings(files.text('xl/sharedStrings.xml') ?? ''),
    isDate: dateStyles(files.text('xl/styles.xml') ?? ''),
    epoch: /date1904="(?:1|true)"/.test(main) ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30),
  };
  const links = relationsOf(files, MAIN);
  const out = new PlacedText();
  for (const { kind, name, attribute } of xmlNodes(main)) {
    // Whoever hid a sheet does not want it read.
    if (kind !== 'open' || name !== 'sheet' || (attribute('state') ?? 'visible') !== 'visible') continue;
    const xml = files.text(links.get(attribute('id') ?? '') ?? '');
    if (xml !== undefined) addSheet(out, attribute('name') ?? '', xml, book);
  }
  return out.document('markdown', 'row');
}

function addSheet(out: PlacedText, sheet: string, xml: string, book: Workbook): void {
  let [row, written, column] = [0, 0, 0];
  let cells: string[] = [];
  let [type, style, value, isValue] = ['', 0, '', false];
  for (const { kind, name, text, attribute } of xmlNodes(xml)) {
    const opens = kind === 'open';
    if (kind === 'text') {
      if (isValue) value += text;
    } else if (name === 'row' && opens) {
      row = Number(attribute('r') ?? row + 1);
      [cells, column] = [[], 0];
    } else if (name === 'row') {
      while (cells.at(-1)?.trim() === '') cells.pop();
      if (cells.length === 0) continue;
      if (written++ === 0) out.add(`# ${sheet.replace(/\s+/g, ' ')}\n\n`, row, sheet);
      out.add(tableRow(cells), row, sheet);
      if (written === 1) out.add(tableRule(cells.length), row, sheet);
    } else if (name === 'c' && opens) {
      column = columnOf(attribute('r')) ?? column + 1;
      [type, style, value] = [attribute('t') ?? 'n', Number(attribute('s') ?? 0), ''];
    } else if (name === 'c') {
      if (column > MAX_COLUMNS) continue;
      while (cells.length < column - 1) cells.push('');
      cells.push(shown(type, value, book.isDate[style] === true, book));
    } else if (name === 'v' || name === 't') isValue = opens;
  }
  if (written > 0) out.add('\n', row, sheet);
}

/** "B3" is in column 2. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? '')?.[0].toUpperCase();
  return letters === undefined
    ? undefined
    : [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

function shown(type: string, value: string, isDate: boolean, { strings, epoch }: Workbook): string {
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  const number = Number(value);
  if (type !== 'n' || !isDate || value === '' || !Number.isFinite(number)) return value;
  const time = new Date(epoch + Math.round(number * DAY_MS));
  if (Number.isNaN(time.getTime())) return value;
  const iso = time.toISOString();
  if (number < 1) return iso.slice(11, 16);
  return Number.isInteger(number) ? iso.slice(0, 10) : iso.slice(0, 16).replace('T', ' ');
}

function sharedStrings(xml: string): string[] {
  const strings: string[] = [];
  let [text, isText, isReading] = ['', false, false];
  for (const node of xmlNodes(xml)) {
    if (node.kind === 'text') text += isText && !isReading ? node.text : '';
    else if (node.name === 'si' && node.kind === 'open') text = '';
    else if (node.name === 'si') strings.push(text);
    else if (node.name === 't') isText = node.kind === 'open';
    // How Japanese is read is not what stands in the cell.
    else if (node.name === 'rph') isReading = node.kind === 'open';
  }
  return strings;
}

function dateStyles(xml: string): boolean[] {
  const custom = new Map<number, boolean>();
  const styles: boolean[] = [];
  let isCell = false;
  for (const { kind, name, attribute } of xmlNodes(xml)) {
    if (name === 'cellxfs') isCell = kind === 'open';
    if (kind !== 'open') continue;
    const format = Number(attribute('numFmtId') ?? 0);
    if (name === 'numfmt') {
      const code = (attribute('formatCode') ?? '').replace(/"[^"]*"|\[[^\]]*\]|\\./g, '');
      custom.set(format, /[ymdhs]/i.test(code));
    } else if (name === 'xf' && isCell) styles.push(custom.get(format) ?? isBuiltInDate(format));
  }
  return styles;
}

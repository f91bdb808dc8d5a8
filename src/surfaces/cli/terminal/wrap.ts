/** Text in lines that fit a width, broken at blanks where there are any and between wide characters. */
import { graphemes, graphemeWidth } from './width.ts';

const TAB = '    ';

/** Without a width (a file, a pipe) only the line breaks of the text itself count. */
export function wrap(text: string, width: number | undefined): string[] {
  const lines = text.split('\n');
  return width === undefined ? lines : lines.flatMap((line) => wrapLine(line.replaceAll('\t', TAB), width));
}

const QUOTED = /"[^"\n]*"/g;
const UNBROKEN = '\u00a0';

/** For remarks: what stands in quotes, such as a command to copy, is kept on one line where it fits. */
export function wrapRemark(text: string, width: number | undefined): string[] {
  if (width === undefined) return text.split('\n');
  const held = text.replaceAll(QUOTED, (quoted) => quoted.replaceAll(' ', UNBROKEN));
  return wrap(held, width).map((line) => line.replaceAll(UNBROKEN, ' '));
}

function wrapLine(line: string, width: number): string[] {
  // No text has more columns than twice its length.
  if (line.length * 2 <= width) return [line];
  const lines: string[] = [];
  let current = '';
  let used = 0;
  /** What could stay on the line if it had to be broken now, and the columns that takes. */
  let fits = { length: 0, used: 0 };
  for (const grapheme of graphemes(line)) {
    const columns = graphemeWidth(grapheme);
    if (columns === 2) fits = { length: current.length, used };
    if (used + columns > width && grapheme !== ' ') {
      const at = current.slice(0, fits.length).trim() === '' ? { length: current.length, used } : fits;
      lines.push(current.slice(0, at.length).trimEnd());
      current = current.slice(at.length);
      used -= at.used;
      fits = { length: 0, used: 0 };
    }
    current += grapheme;
    used += columns;
    if (grapheme === ' ' || columns === 2) fits = { length: current.length, used };
  }
  lines.push(current.trimEnd());
  return lines;
}

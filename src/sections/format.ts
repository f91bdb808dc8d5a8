/**
 * The format of `<agent>.memory.md`: text before the first `# NAME` line, then one section per such line. Every character
 * has one owner, and what is not changed goes back as it stood.
 */
import { lineAfter, type Mark, scan } from './scan.ts';

const BOM = '\ufeff';

export interface Section {
  /** What the section is addressed by: its heading, numbered when an earlier section has the same one. */
  readonly name: string;
  readonly heading: string;
  /** The header line with its line ending, and everything up to the next one, as they stand in the file. */
  readonly header: string;
  readonly body: string;
}

export interface SectionsFile {
  readonly preamble: string;
  readonly sections: readonly Section[];
}

export type LineBreak = '\n' | '\r\n';

export function parseSections(source: string): SectionsFile {
  const headers = [...scan(source, startOf(source))].filter(({ kind }) => kind === 'header');
  const names = numbered(headers.map(({ name }) => name));
  return {
    preamble: source.slice(0, headers[0]?.start ?? source.length),
    sections: headers.map(({ start, next, name: heading }, index) => ({
      name: names[index]!,
      heading,
      header: source.slice(start, next),
      body: source.slice(next, headers[index + 1]?.start ?? source.length),
    })),
  };
}

export function unparse({ preamble, sections }: SectionsFile): string {
  return preamble + sections.map(({ header, body }) => header + body).join('');
}

/** The text of a section as it was saved. */
export function contentOf({ body }: Section): string {
  return unescapeLines(withoutFrame(body));
}

export function writeHeader(name: string, lineBreak: LineBreak): string {
  return `# ${name}${lineBreak}`;
}

/** A body that `contentOf` reads as exactly this content, wherever it stands. */
export function writeBody(content: string, options: { isLast: boolean; lineBreak: LineBreak }): string {
  const { isLast } = options;
  if (content === '') return isLast ? '' : options.lineBreak;
  // A CR at the end of the content would become part of a line ending that begins with LF.
  const lineBreak = content.endsWith('\r') ? '\r\n' : options.lineBreak;
  // Reading takes two line endings away, or the only one: content that ends with one needs both, also at the end.
  const blankLine = isLast && !content.endsWith('\n') ? '' : lineBreak;
  return escapeLines(content) + lineBreak + blankLine;
}

/** What has to stand between this end of a file and the header of a new section, so that a blank line parts them. */
export function gapAfter(end: string, lineBreak: LineBreak): string {
  if (end === '' || end === BOM || /\n\r?\n$/.test(end.slice(-3))) return '';
  if (end.endsWith('\n')) return lineBreak;
  return end.endsWith('\r') ? '\r\n\r\n' : lineBreak + lineBreak;
}

/** Escapes blocks that have no end, so that text added behind them cannot close them and hide what is between. */
export function defuse({ preamble, sections }: SectionsFile): SectionsFile {
  return {
    preamble: insertBackslashes(preamble, isUnclosed, startOf(preamble)),
    sections: sections.map((section) => ({ ...section, body: insertBackslashes(section.body, isUnclosed) })),
  };
}

/** A file keeps the line endings that it begins with. */
export function lineBreakOf(text: string): LineBreak {
  const end = lineAfter(text, 0);
  return text.slice(0, end).endsWith('\r\n') ? '\r\n' : '\n';
}

/** A line ending at the very end begins no further line. */
export function countLines(content: string): number {
  let lines = content === '' || content.endsWith('\n') ? 0 : 1;
  for (let at = content.indexOf('\n'); at !== -1; at = content.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** A byte order mark is not a part of the first line. */
function startOf(source: string): number {
  return source.startsWith(BOM) ? BOM.length : 0;
}

function isUnclosed({ kind }: Mark): boolean {
  return kind === 'unclosed';
}

function withoutFrame(body: string): string {
  const once = withoutLineBreak(body);
  return once.endsWith('\n') ? withoutLineBreak(once) : once;
}

function withoutLineBreak(text: string): string {
  if (text.endsWith('\r\n')) return text.slice(0, -2);
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** Content opens no section and hides none: whatever would is given a backslash, as Markdown does it. */
function escapeLines(content: string): string {
  return insertBackslashes(content, () => true);
}

function insertBackslashes(text: string, where: (mark: Mark) => boolean, from = 0): string {
  let out = '';
  let copied = 0;
  for (const mark of scan(text, from)) {
    if (!where(mark)) continue;
    out += `${text.slice(copied, mark.at)}\\`;
    copied = mark.at;
  }
  return out + text.slice(copied);
}

function unescapeLines(text: string): string {
  let out = '';
  let copied = 0;
  for (const { kind, at } of scan(text)) {
    if (kind !== 'escaped') continue;
    out += text.slice(copied, at);
    copied = at + 1;
  }
  return out + text.slice(copied);
}

/** `a`, `a`, `a` → `a`, `a (2)`, `a (3)`, leaving out numbers that a heading of its own has taken. */
function numbered(headings: readonly string[]): string[] {
  const taken = new Set(headings);
  const counts = new Map<string, number>();
  return headings.map((heading) => {
    let count = (counts.get(heading) ?? 0) + 1;
    let name = heading;
    if (count > 1) {
      while (taken.has(`${heading} (${count})`)) count++;
      name = `${heading} (${count})`;
      taken.add(name);
    }
    counts.set(heading, count);
    return name;
  });
}

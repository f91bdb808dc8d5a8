/** Finds the headings of a Markdown text; lines in code blocks are not headings. */
import type { Outline, Section, Spans, Tables, TextFormat } from './chunk.ts';
import { codeBlocks } from './code-blocks.ts';
import { lineOffsets, lineText } from './lines.ts';
import { csvRecords, tableEnd } from './tables.ts';

/** Longer lines are prose or data; looking for a heading in them is a waste. */
const MAX_HEADING_LINE = 1_000;
const MAX_HEADING = 200;

interface Heading {
  readonly level: number;
  readonly title: string;
  readonly start: number;
}

const NOTHING: Spans = { starts: [], ends: [] };
const NO_TABLES: Tables = { ...NOTHING, bodies: [] };

/** The outline of a text that is cut into chunks of `size`: one section for code and plain text, one for each heading in Markdown. */
export function outline(text: string, format: TextFormat, size: number): Outline {
  const lines = format === 'csv' ? csvRecords(text) : lineOffsets(text);
  const sections = [{ headings: [], start: 0, end: text.length }];
  if (format === 'code') return { lines, sections, blocks: codeBlocks(text, lines, size), tables: NO_TABLES };
  if (format === 'csv') {
    const tables = { starts: [0], bodies: [lines[1] ?? text.length], ends: [text.length] };
    return { lines, sections, blocks: NOTHING, tables };
  }
  if (format === 'text') return { lines, sections, blocks: NOTHING, tables: NO_TABLES };
  const { headings, blocks, tables } = scan(text, lines);
  return { lines, sections: sectionsOf(headings, text.length), blocks, tables };
}

function scan(text: string, lines: readonly number[]) {
  const headings: Heading[] = [];
  const blocks = { starts: [] as number[], ends: [] as number[] };
  const tables = { starts: [] as number[], bodies: [] as number[], ends: [] as number[] };
  const keep = (start: number, end: number): void => {
    blocks.starts.push(start);
    blocks.ends.push(end);
  };
  const lineAt = (index: number): string =>
    (lines[index + 1] ?? 0) - (lines[index] ?? 0) > MAX_HEADING_LINE ? '' : lineText(text, lines, index);
  let index = frontmatterEnd(lineAt, lines.length - 1);
  if (index > 0) keep(0, lines[index] as number);
  let before = '';
  for (; index < lines.length - 1; index++) {
    const line = lineAt(index);
    const start = lines[index] as number;
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      index = fenceEnd(lineAt, index, lines.length - 2, fence);
      keep(start, lines[index + 1] as number);
      before = '';
      continue;
    }
    const atx = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line);
    if (atx !== null) {
      headings.push({ level: (atx[1] as string).length, title: titleOf(atx[2] ?? ''), start });
      before = '';
      continue;
    }
    const end = tableEnd(lineAt, index, lines.length - 1);
    if (end !== undefined) {
      tables.starts.push(start);
      tables.bodies.push(lines[index + 2] as number);
      tables.ends.push(lines[end] as number);
      keep(start, lines[end] as number);
      index = end - 1;
      before = '';
      continue;
    }
    // Underlined headings: the line before is the title.
    if (/^ {0,3}(?:=+|-{2,})[ \t]*$/.test(line) && /^ {0,3}[^\s>|#*+-]/.test(before)) {
      const level = line.includes('=') ? 1 : 2;
      headings.push({ level, title: titleOf(before), start: lines[index - 1] as number });
      before = '';
      continue;
    }
    before = line;
  }
  return { headings, blocks, tables };
}

/** Index of the first line after the YAML at the top; 0 when there is none. */
function frontmatterEnd(lineAt: (index: number) => string, count: number): number {
  if (count === 0 || lineAt(0).trimEnd() !== '---') return 0;
  for (let index = 1; index < Math.min(count, 500); index++) {
    if (/^(?:---|\.\.\.)[ \t]*$/.test(lineAt(index))) return index + 1;
  }
  return 0;
}

/** Index of the line that closes a fence; an open one continues to the end. */
function fenceEnd(lineAt: (index: number) => string, from: number, last: number, fence: string): number {
  for (let index = from + 1; index <= last; index++) {
    const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(lineAt(index))?.[1];
    if (closing?.startsWith(fence)) return index;
  }
  return last;
}

/** The words of a heading, without the marks that may close it. */
function titleOf(text: string): string {
  let end = text.trimEnd().length;
  const closed = end;
  while (end > 0 && text[end - 1] === '#') end--;
  const bare = end === closed || (end > 0 && !/\s/.test(text[end - 1] as string)) ? text : text.slice(0, end);
  return bare.trim().slice(0, MAX_HEADING).toWellFormed();
}

function sectionsOf(headings: readonly Heading[], length: number): Section[] {
  const sections: Section[] = [];
  const path: Heading[] = [];
  const first = headings[0]?.start ?? length;
  if (first > 0) sections.push({ headings: [], start: 0, end: first });
  headings.forEach((heading, i) => {
    while (path.length > 0 && (path.at(-1) as Heading).level >= heading.level) path.pop();
    path.push(heading);
    const titles = path.map(({ title }) => title).filter((title) => title !== '');
    sections.push({ headings: titles, start: heading.start, end: headings[i + 1]?.start ?? length });
  });
  return sections;
}

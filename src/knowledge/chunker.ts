/** Splits a document into chunks by headings, then paragraphs or declarations, then sentences, without dropping text. */
import { blockAround, breakWithin, overlapStart } from './breaks.ts';
import type { Chunk, ChunkOptions, Outline, Section, TextFormat } from './chunk.ts';
import { enclosing } from './code-blocks.ts';
import { lastAtMost } from './lines.ts';
import { outline } from './outline.ts';
import { headerAt } from './tables.ts';

/** A section shorter than this part of a chunk, such as a title alone, joins the one below it. */
const TOO_SHORT = 0.1;
/** Most of a chunk is its own text. */
const MOST_LEAD = 0.5;
const MOST_ENCLOSING = 0.15;

/** The chunks of a text in order; without their overlaps they are the text, character by character. */
export function chunkText(text: string, format: TextFormat, options: ChunkOptions): Chunk[] {
  const size = Math.max(1, options.size);
  // More would make more overlap than text.
  const overlap = Math.min(Math.max(0, options.overlap), Math.floor(size / 2));
  const shape = outline(text, format, size);
  return joinTitles(shape.sections, size).flatMap((section) =>
    cutSection(text, section, shape, format, { size, overlap }),
  );
}

/** A title without a text of its own says more together with what it is the title of. */
function joinTitles(sections: readonly Section[], size: number): Section[] {
  const joined: Section[] = [];
  for (const section of sections) {
    const before = joined.at(-1);
    const joins =
      before !== undefined &&
      before.end - before.start < size * TOO_SHORT &&
      section.headings.length > before.headings.length &&
      before.headings.every((title, i) => title === section.headings[i]);
    if (joins) joined[joined.length - 1] = { ...section, start: before.start };
    else joined.push(section);
  }
  return joined;
}

function cutSection(
  text: string,
  { headings, start, end }: Section,
  shape: Outline,
  format: TextFormat,
  { size, overlap }: ChunkOptions,
): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = start; at < end; ) {
    const lead = at === start ? '' : leadAt(text, shape, format, at, size);
    const from =
      at === start || lead !== '' || format === 'code' || format === 'csv'
        ? at
        : overlapStart(text, shape, start, at, overlap);
    const [first, cut] = nextCut(text, shape, format, from, at, end, size - lead.length);
    chunks.push({
      ...{ text: text.slice(first, cut), overlap: at - first, lead, headings },
      ...{ start: first, end: cut },
    });
    at = cut;
  }
  return chunks;
}

/** What a chunk that continues at `at` repeats from further up. */
function leadAt(text: string, shape: Outline, format: TextFormat, at: number, size: number): string {
  const { tables, lines } = shape;
  const header = headerAt(text, tables, lastAtMost(tables.starts, at), at);
  if (header !== '') return header.length <= Math.min(size * MOST_LEAD, size - 2) ? header : '';
  const line = lastAtMost(lines, at);
  if (format !== 'code' || lines[line] !== at || line >= lines.length - 1) return '';
  return enclosing(text, lines, line, Math.floor(size * MOST_ENCLOSING));
}

/** Where the chunk begins, its overlap included, and where it ends. */
function nextCut(
  text: string,
  shape: Outline,
  format: TextFormat,
  from: number,
  at: number,
  end: number,
  size: number,
): [first: number, cut: number] {
  if (end - from <= size) return [from, end];
  const cut = breakWithin(text, shape, format, at, from + size);
  const block = blockAround(shape, cut);
  // A block that would be cut although it fits waits for the next chunk, or has this one.
  const fits = block !== undefined && block.end - block.start <= size;
  const last = !fits ? cut : block.start > at ? block.start : block.end;
  return [last - from <= size ? from : at, last];
}

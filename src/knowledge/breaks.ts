/** Chooses where a chunk ends: at the best boundary that is far enough into it, never inside a character. */
import type { Outline, Spans, TextFormat } from './chunk.ts';
import { lastAtMost } from './lines.ts';

type Test = (text: string, at: number) => boolean;
/** Finds the last suitable offset above `low` and not above `high`. */
type Place = (text: string, shape: Outline, low: number, high: number) => number | undefined;

/** Whether a blank line stands before a line. */
const isBlankBefore: Test = (text, at) => {
  let i = at - 1;
  let ends = 0;
  for (; i >= 0; i--) {
    const code = text.charCodeAt(i);
    if (code === 10) ends++;
    else if (code === 13) ends += text.charCodeAt(i + 1) === 10 ? 0 : 1;
    else if (code !== 32 && code !== 9) break;
    if (ends === 2) return true;
  }
  return false;
};

const isIndented = (text: string, at: number): boolean => /[\s})\]]/.test(text[at] ?? ' ');

/** A blank line, then something that begins at the margin: between two declarations. */
const isDeclaration: Test = (text, at) => isBlankBefore(text, at) && !isIndented(text, at);
const isParagraph: Test = (text, at) => isBlankBefore(text, at) && !/[\r\n]/.test(text[at] ?? '\n');

/** After the end of a sentence; Chinese and Japanese put no space there. */
function isSentence(text: string, at: number): boolean {
  const before = text[at - 1] as string;
  if (/[。！？]/.test(before)) return true;
  return /\s/.test(before) && !/\s/.test(text[at] ?? 'x') && /[.!?…]["')\]]?$/.test(tail(text, at));
}

/** What stands before the whitespace before an offset. */
function tail(text: string, at: number): string {
  let end = at;
  // A cut needs no more than that: sentences are not kept apart by pages of white space.
  while (end > 0 && at - end < 8 && /\s/.test(text[end - 1] as string)) end--;
  return text.slice(Math.max(0, end - 2), end);
}

function isWord(text: string, at: number): boolean {
  return /\s/.test(text[at - 1] as string) && !/\s/.test(text[at] ?? 'x');
}

/** False between the halves of a surrogate pair and between CR and LF. */
export function isWhole(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  if (before === 13 && after === 10) return false;
  return !((before & 0xfc00) === 0xd800 && (after & 0xfc00) === 0xdc00);
}

/** The part that a cut at an offset would go through. */
function around({ starts, ends }: Spans, at: number): { start: number; end: number } | undefined {
  const index = lastAtMost(starts, at - 1);
  const [start, end] = [starts[index], ends[index]];
  return start === undefined || end === undefined || end <= at ? undefined : { start, end };
}

/** The part that is to be kept together and that a cut at an offset would go through. */
export const blockAround = ({ blocks }: Outline, at: number) => around(blocks, at);

/** From the best places for a cut to the poorest. Those that begin a line are looked for among the lines only. */
const PLACES: Readonly<Record<TextFormat, readonly Place[]>> = {
  markdown: [atLine(isParagraph), anywhere(isSentence), atLine(), anywhere(isWord)],
  text: [atLine(isParagraph), anywhere(isSentence), atLine(), anywhere(isWord)],
  code: [atLine(isDeclaration), atLine(isParagraph), atLine(), anywhere(isWord)],
  csv: [atLine(), anywhere(isWord)],
};

function atLine(fits: Test = () => true): Place {
  return (text, { lines }, low, high) => {
    let index = lastAtMost(lines, high);
    while ((lines[index] ?? 0) > low && !fits(text, lines[index] as number)) index--;
    const at = lines[index] ?? 0;
    return at > low ? at : undefined;
  };
}

function anywhere(fits: Test): Place {
  return (text, _shape, low, high) => {
    let at = high;
    while (at > low && !(fits(text, at) && isWhole(text, at))) at--;
    return at > low ? at : undefined;
  };
}

/** The best place for a cut after `low`, at `high` if possible; it always makes progress. */
export function breakWithin(
  text: string,
  shape: Outline,
  format: TextFormat,
  low: number,
  high: number,
): number {
  // A chunk that ends before its middle leaves too much to the next one.
  const middle = low + Math.floor((high - low) / 2);
  // Code and tables have no sentences.
  const isTable = around(shape.tables, high) !== undefined;
  const kind = isTable ? 'csv' : blockAround(shape, high) === undefined ? format : 'code';
  for (const find of PLACES[kind]) {
    const at = find(text, shape, middle, high);
    if (at !== undefined) return at;
  }
  return hardCut(text, low, high);
}

function hardCut(text: string, low: number, high: number): number {
  let at = high;
  while (at > low && !isWhole(text, at)) at--;
  if (at > low) return at;
  // Not even one character fits: rather too long than half of one.
  at = low + 1;
  while (!isWhole(text, at)) at++;
  return at;
}

/**
 * Where the overlap of a chunk that continues at `at` begins: at a word if there is one, `overlap` characters back at most, and
 * never in the middle of code or of a table.
 */
export function overlapStart(
  text: string,
  shape: Outline,
  from: number,
  at: number,
  overlap: number,
): number {
  const earliest = Math.max(from, at - overlap);
  if (earliest === from) return afterBlock(shape, from, at);
  for (let i = earliest; i < at; i++) if (isWord(text, i)) return afterBlock(shape, i, at);
  let i = earliest;
  while (i < at && !isWhole(text, i)) i++;
  return afterBlock(shape, i, at);
}

/** Between two blocks of which the first is cut, nothing is shared either. */
function afterBlock(shape: Outline, from: number, at: number): number {
  if (blockAround(shape, at) !== undefined) return at;
  const block = blockAround(shape, from);
  return block === undefined ? from : Math.min(block.end, at);
}

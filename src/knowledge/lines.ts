/** Line starts of a text, and the line of an offset. */

const LF = 10;
const CR = 13;

/** Offset of every line, then the length of the text. CRLF, LF and CR each end a line. */
export function lineOffsets(text: string): number[] {
  const offsets = [0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === LF || (code === CR && text.charCodeAt(i + 1) !== LF)) offsets.push(i + 1);
  }
  if (offsets.at(-1) !== text.length) offsets.push(text.length);
  return offsets;
}

/** Index of the last entry that is not above the value; -1 when all are. */
export function lastAtMost(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Number of the line that holds the character at an offset, from 1. */
export function lineNumber(offsets: readonly number[], at: number): number {
  // The last entry is the end of the text, where no line begins.
  return Math.max(1, Math.min(lastAtMost(offsets, at) + 1, offsets.length - 1));
}

/** The line without its end. */
export function lineText(text: string, offsets: readonly number[], index: number): string {
  let end = offsets[index + 1] ?? text.length;
  const start = offsets[index] ?? end;
  while (end > start && (text.charCodeAt(end - 1) === LF || text.charCodeAt(end - 1) === CR)) end--;
  return text.slice(start, end);
}

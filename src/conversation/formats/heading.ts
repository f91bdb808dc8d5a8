/** The line that opens a block of a transcript, and the escape that keeps content from imitating it. */
import { KeepsakeError } from '../../kernel/errors.ts';
import { HEADING_TIME, parseTime, toSeconds } from './timestamps.ts';

const MARK = '### ';
const BACKSLASH = 0x5c;
const HASH = 0x23;
/** A dash, the longest time (nanoseconds and a zone) and the blanks around the dash fit in this many characters. */
const MAX_TAIL = 40;
const TAIL = new RegExp(` ([-–—]) (${HEADING_TIME})$`);

export interface HeadingLine {
  /** Where the line begins in the text, and where the next one does. */
  readonly start: number;
  readonly next: number;
  readonly role: string;
  readonly at: number;
  /** We write a hyphen; the original system writes an em dash, and escapes nothing. */
  readonly dash: string;
  /** Backslashes in front: with none the line opens a block, with more it is content. */
  readonly escapes: number;
}

/** Reads the line text[start, end) as a heading. Looks at both ends only, so that long lines cost nothing. */
function readLine(text: string, start: number, end: number, next: number): HeadingLine | undefined {
  let mark = start;
  while (text.charCodeAt(mark) === BACKSLASH) mark++;
  if (text.charCodeAt(mark) !== HASH || !text.startsWith(MARK, mark)) return undefined;
  let last = end;
  while (last > mark && ' \t\r'.includes(text[last - 1]!)) last--;
  const from = mark + MARK.length;
  const match = TAIL.exec(text.slice(Math.max(from, last - MAX_TAIL), last));
  const at = match === null ? undefined : parseTime(match[2]!);
  if (match === null || at === undefined) return undefined;
  const role = text.slice(from, last - match[0].length).trim();
  return role === '' ? undefined : { start, next, role, at, dash: match[1]!, escapes: mark - start };
}

/** Every line that is or imitates a heading, escaped ones included. Lines end with LF only, a CR before it is theirs. */
export function* headingLines(text: string, from = 0): Generator<HeadingLine> {
  for (let start = from; start < text.length; ) {
    const lineFeed = text.indexOf('\n', start);
    const end = lineFeed === -1 ? text.length : lineFeed;
    const next = lineFeed === -1 ? end : end + 1;
    const first = text.charCodeAt(start);
    const line = first === HASH || first === BACKSLASH ? readLine(text, start, end, next) : undefined;
    if (line !== undefined) yield line;
    start = next;
  }
}

export function writeHeading(role: string, at: number): string {
  if (!isHeadingRole(role)) {
    throw new KeepsakeError('INVALID_INPUT', `${JSON.stringify(role)} cannot stand in a heading as a role.`, {
      hint: 'Use "User", "System", "Tool" or the agent\'s name: one line, no blanks at its ends.',
    });
  }
  return `${MARK}${role} - ${toSeconds(at)}\n`;
}

/** Whether a heading with this role is read back as it was written. */
export function isHeadingRole(role: string): boolean {
  return role !== '' && role.trim() === role && isOneLine(role);
}

export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(text);
}

/** One more backslash before every line that looks like a heading, so that content opens no block. */
export function escapeHeadings(text: string): string {
  if (!text.includes(MARK)) return text;
  let out = '';
  let copied = 0;
  for (const { start } of headingLines(text)) {
    out += `${text.slice(copied, start)}\\`;
    copied = start;
  }
  return out + text.slice(copied);
}

/** Takes the backslash away that `escapeHeadings` gave. */
export function unescapeHeadings(text: string): string {
  if (!text.includes(`\\${MARK}`)) return text;
  let out = '';
  let copied = 0;
  for (const { start, escapes } of headingLines(text)) {
    if (escapes === 0) continue;
    out += text.slice(copied, start);
    copied = start + 1;
  }
  return out + text.slice(copied);
}

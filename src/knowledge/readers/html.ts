/** The text of an HTML page as Markdown: headings, lists and code stay what they are, scripts and styles are left out. */
import { lastAtMost, lineNumber, lineOffsets } from '../lines.ts';
import { decodeEntities } from './entities.ts';
import { htmlTokens } from './html-tokens.ts';

export interface HtmlText {
  readonly text: string;
  /** Line of the page that a character of the text comes from. */
  lineAt(offset: number): number;
}

/** Elements that begin and end a paragraph, and those that only end a line. */
const PARAGRAPHS = new Set(
  'address article aside blockquote body details dialog div dl fieldset figcaption figure footer form header hr html main nav ol p section summary table title ul h1 h2 h3 h4 h5 h6 pre'.split(
    ' ',
  ),
);
const LINES = new Set('br dd dt li option tr'.split(' '));

export function htmlText(html: string): HtmlText {
  const writer = new MarkdownWriter();
  let pre = 0;
  for (const token of htmlTokens(html)) {
    if (token.kind === 'text') {
      writer.text(decodeEntities(html.slice(token.start, token.end)), token.start, pre > 0);
      continue;
    }
    const { name, kind } = token;
    if (kind === 'close') writer.mark('');
    if (PARAGRAPHS.has(name)) writer.breakAfter(2);
    else if (LINES.has(name)) writer.breakAfter(1);
    else if (kind === 'open' && (name === 'td' || name === 'th')) writer.mark(' | ');
    if (name === 'pre') {
      if (kind === 'open' && pre++ === 0) writer.openFence(token.start);
      else if (kind === 'close' && pre > 0 && --pre === 0) writer.closeFence(token.start);
    } else if (kind === 'open' && /^h[1-6]$/.test(name)) {
      writer.mark(`${'#'.repeat(Number(name[1]))} `);
    } else if (kind === 'open' && name === 'li') {
      writer.mark('- ');
    }
  }
  if (pre > 0) writer.closeFence(html.length);
  return writer.finish(html);
}

class MarkdownWriter {
  readonly #parts: string[] = [];
  #length = 0;
  /** Line ends that are due before the next text. */
  #due = 0;
  /** A mark such as "- " that waits for its text. */
  #mark = '';
  #space = false;
  /** Where the last block of code began. */
  #fenced = -1;
  /** Offsets in the text, and the offsets in the page that they come from. */
  readonly #here: number[] = [];
  readonly #there: number[] = [];

  breakAfter(lines: number): void {
    // Between "- " and its text, there is no room for a break.
    if (this.#mark === '') this.#due = Math.max(this.#due, lines);
  }

  mark(mark: string): void {
    this.#mark = mark;
  }

  text(text: string, from: number, verbatim: boolean): void {
    if (verbatim) {
      // The first line break in <pre> belongs to the tag.
      const code = this.#fenced === this.#length ? text.replace(/^\r?\n/, '') : text;
      if (code !== '') this.#write(code, from + text.length - code.length);
      return;
    }
    const collapsed = text.replace(/\s+/g, ' ');
    const words = collapsed.trim();
    if (collapsed.startsWith(' ')) this.#space = true;
    if (words === '') return;
    this.#write(words, from + (text.length - text.trimStart().length));
    this.#space = collapsed.endsWith(' ');
  }

  openFence(from: number): void {
    this.#write('```', from);
    this.#fenced = this.#length;
    this.#due = 1;
  }

  closeFence(from: number): void {
    this.#due = this.#parts.at(-1)?.endsWith('\n') ? 0 : 1;
    this.#space = false;
    this.#write('```', from);
    this.#due = 2;
  }

  finish(html: string): HtmlText {
    const lines = lineOffsets(html);
    return {
      text: this.#length === 0 ? '' : `${this.#parts.join('')}\n`,
      lineAt: (offset) => lineNumber(lines, this.#there[lastAtMost(this.#here, offset)] ?? 0),
    };
  }

  #write(text: string, from: number): void {
    const begins = this.#length === 0;
    const gap = begins ? '' : this.#due > 0 ? '\n'.repeat(this.#due) : this.#space ? ' ' : '';
    const before = gap + (this.#mark === ' | ' && (begins || this.#due > 0) ? '' : this.#mark);
    this.#here.push(this.#length + gap.length);
    this.#there.push(from);
    this.#parts.push(before, text);
    this.#length += before.length + text.length;
    this.#due = 0;
    this.#mark = '';
    this.#space = false;
  }
}

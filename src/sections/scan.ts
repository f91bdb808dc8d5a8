/** Finds headers, escaped lines and unclosed code blocks in a sections file. */

export interface Mark {
  /**
   * `header`: opens a section. `escaped`: would mean something without its first backslash. `unclosed`: opens a code
   * fence or a comment that has no end, so that it is taken for text and hides nothing.
   */
  readonly kind: 'header' | 'escaped' | 'unclosed';
  /** Where the backslash stands, or would have to stand to escape the line. */
  readonly at: number;
  /** The line, with its line ending. */
  readonly start: number;
  readonly next: number;
  /** What a header says; empty for other marks. */
  readonly name: string;
}

/** Every line that means something begins with one of these. */
const FIRST_CHARACTERS = '#\\`~< ';
const HEADER = /^(\\*)#[ \t]/;
const OPENER = /^( {0,3})(\\*)(`{3,}|~{3,}|<!--)/;
/** What follows the run is looked at once only: without it, blanks after a long run would cost quadratic time. */
const FENCE_END = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[ \t\r]*$/;

/** Lines end with LF only; a CR before it belongs to the line ending. What is inside of a closed block is left out. */
export function* scan(text: string, from = 0): Generator<Mark> {
  const hopeless = new Map<string, number>();
  for (let start = from; start < text.length; ) {
    let next = lineAfter(text, start);
    if (FIRST_CHARACTERS.includes(text[start]!)) {
      const line = text.slice(start, next);
      const opener = readOpener(line);
      if (opener === undefined) {
        const header = readHeader(line);
        if (header !== undefined) yield { ...header, at: start, start, next };
      } else if (opener.isEscaped) {
        yield { kind: 'escaped', at: start + opener.indent, start, next, name: '' };
      } else {
        const at = start + opener.indent;
        const end = endOfBlock(text, at, next, opener.sign, hopeless);
        if (end === undefined) yield { kind: 'unclosed', at, start, next, name: '' };
        else next = end;
      }
    }
    start = next;
  }
}

export function lineAfter(text: string, start: number): number {
  const lineFeed = text.indexOf('\n', start);
  return lineFeed === -1 ? text.length : lineFeed + 1;
}

function readHeader(line: string): Pick<Mark, 'kind' | 'name'> | undefined {
  const match = HEADER.exec(line);
  const name = match === null ? '' : line.slice(match[0].length).trim();
  if (name === '') return undefined;
  return match![1] === '' ? { kind: 'header', name } : { kind: 'escaped', name: '' };
}

interface Opener {
  readonly indent: number;
  readonly isEscaped: boolean;
  /** The run of backticks or tildes, or the beginning of a comment. */
  readonly sign: string;
}

function readOpener(line: string): Opener | undefined {
  const match = OPENER.exec(line);
  if (match === null) return undefined;
  const [whole, indent, escapes, sign] = match as unknown as [string, string, string, string];
  const isEscaped = escapes !== '';
  // Backticks further on in the line make it inline code.
  if (!isEscaped && sign[0] === '`' && line.includes('`', whole.length)) return undefined;
  return { indent: indent.length, isEscaped, sign };
}

/**
 * Where the line after the block begins, or undefined when it has no end. Remembers the shortest fence of each kind that
 * had none: later ones of that length have none either, and looking for each would cost quadratic time.
 */
function endOfBlock(
  text: string,
  at: number,
  next: number,
  sign: string,
  hopeless: Map<string, number>,
): number | undefined {
  const kind = sign[0]!;
  if (sign.length >= (hopeless.get(kind) ?? Number.POSITIVE_INFINITY)) return undefined;
  const end = kind === '<' ? endOfComment(text, at) : endOfFence(text, next, kind, sign.length);
  if (end === undefined) hopeless.set(kind, sign.length);
  return end;
}

function endOfComment(text: string, at: number): number | undefined {
  // The dashes of the beginning may be those of the end: `<!-->` is a whole comment.
  const close = text.indexOf('-->', at + 2);
  return close === -1 ? undefined : lineAfter(text, close);
}

function endOfFence(text: string, from: number, kind: string, length: number): number | undefined {
  for (let start = from; start < text.length; ) {
    const next = lineAfter(text, start);
    if (text[start] === kind || text[start] === ' ') {
      const line = text.slice(start, text[next - 1] === '\n' ? next - 1 : next);
      const run = FENCE_END.exec(line)?.[1];
      if (run !== undefined && run[0] === kind && run.length >= length) return next;
    }
    start = next;
  }
  return undefined;
}

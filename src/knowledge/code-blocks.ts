/** Finds declarations in code of any language by indentation. */
import type { Spans } from './chunk.ts';

/** So much of a line says how it begins. */
const LOOKED_AT = 200;
const TAB = 4;
/** Declarations in declarations in declarations; what is deeper is cut at lines. */
const MAX_DEPTH = 5;
/** What a line stands in is looked for so many lines up. */
const MAX_BACK = 3_000;

/** Ends or continues what is above: a bracket, an end tag, the other branch. */
const CONTINUES =
  /^(?:[{})\]]|<\/|-->|\*\/|(?:end|else|elif|elsif|elseif|except|rescue|ensure|finally|catch|then|do|fi|done|esac|begin|case|default|when)\b)/i;
/** Comments and decorators belong to what is below. */
const BELONGS_BELOW = /^(?:\/\/|\/\*|\*|#(?!include|define|if|else|end|pragma|import)|--|;;|@|%|""")/;

interface Line {
  /** -1: nothing but white space. */
  readonly indent: number;
  readonly continues: boolean;
  readonly belongsBelow: boolean;
}

function lineAt(text: string, start: number, end: number): Line {
  let indent = 0;
  let at = start;
  const last = Math.min(end, start + LOOKED_AT);
  for (; at < last && (text[at] === ' ' || text[at] === '\t'); at++) indent += text[at] === '\t' ? TAB : 1;
  const words = text.slice(at, last);
  if (words.trim() === '') return { indent: -1, continues: false, belongsBelow: false };
  return { indent, continues: CONTINUES.test(words), belongsBelow: BELONGS_BELOW.test(words) };
}

/** Declarations that fit into `size`, and in longer ones those that they hold. */
export function codeBlocks(text: string, offsets: readonly number[], size: number): Spans {
  const starts: number[] = [];
  const ends: number[] = [];
  const count = offsets.length - 1;
  const lines = Array.from({ length: Math.max(0, count) }, (_, i) =>
    lineAt(text, offsets[i] as number, offsets[i + 1] as number),
  );
  const visit = (from: number, to: number, depth: number): void => {
    let margin = Number.POSITIVE_INFINITY;
    for (let i = from; i < to; i++) {
      const { indent, continues } = lines[i] as Line;
      if (indent >= 0 && !continues) margin = Math.min(margin, indent);
    }
    const heads: number[] = [];
    for (let i = from; i < to; i++) {
      const { indent, continues } = lines[i] as Line;
      const before = i > from ? lines[i - 1] : undefined;
      const isAttached = before?.belongsBelow === true && before.indent === indent;
      if (indent >= 0 && indent <= margin && !continues && !isAttached) heads.push(i);
    }
    heads.forEach((head, i) => {
      const end = heads[i + 1] ?? to;
      const [start, stop] = [offsets[head] as number, offsets[end] as number];
      if (stop - start <= size) {
        starts.push(start);
        ends.push(stop);
      } else if (depth < MAX_DEPTH && end - head > 1) visit(head + 1, end, depth + 1);
    });
  };
  visit(0, count, 0);
  return { starts, ends };
}

/** The first lines of all that a line of code stands in, outermost first; not more than `most` characters. */
export function enclosing(text: string, offsets: readonly number[], index: number, most: number): string {
  const line = (i: number): Line => lineAt(text, offsets[i] as number, offsets[i + 1] as number);
  let first = index;
  while (first < offsets.length - 2 && line(first).indent < 0) first++;
  const { indent, continues } = line(first);
  // A closing bracket is in what it closes.
  let limit = continues ? indent + 1 : indent;
  let lead = '';
  for (let i = index - 1; i >= Math.max(0, index - MAX_BACK) && limit > 0; i--) {
    const above = line(i);
    if (above.indent < 0 || above.indent >= limit || above.continues || above.belongsBelow) continue;
    limit = above.indent;
    const words = text.slice(offsets[i], offsets[i + 1]);
    if (lead.length + words.length > most) break;
    lead = words + lead;
  }
  return lead;
}

/** Sets one value in a JSON file that people edit: comments, order and layout of all that was there stay as they are. */
import {
  applyEdits,
  createScanner,
  findNodeAtLocation,
  format,
  modify,
  type Node,
  parseTree,
} from 'jsonc-parser';

/** The text must be one that can be read. */
export function withValue(text: string, path: readonly string[], value: unknown): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const body = text.slice(mark.length);
  return mark + (inserted(body, path, value) ?? changed(body, path, value));
}

/** The editor of the parser; good at all but new keys, for which it would write what stands before them in its own style. */
function changed(text: string, path: readonly string[], value: unknown): string {
  const formattingOptions = styleOf(text);
  // A file of comments gets its object behind them.
  if (findIn(text, []) === undefined) {
    const object = applyEdits('', modify('', [...path], value, { formattingOptions }));
    return `${text.trim() === '' ? '' : `${text.trimEnd()}${formattingOptions.eol}`}${object}${formattingOptions.eol}`;
  }
  const isPlain = typeof value !== 'object' && findIn(text, path) !== undefined;
  return applyEdits(text, modify(text, [...path], value, isPlain ? {} : { formattingOptions }));
}

/** Undefined when no key is to be added to an object that has something in it. */
function inserted(text: string, path: readonly string[], value: unknown): string | undefined {
  if (findIn(text, path) !== undefined) return undefined;
  let depth = path.length - 1;
  while (depth > 0 && findIn(text, path.slice(0, depth)) === undefined) depth--;
  const parent = findIn(text, path.slice(0, depth));
  if (parent?.type !== 'object') return undefined;
  const isBare = text.slice(parent.offset + 1, parent.offset + parent.length - 1).trim() === '';
  if (isBare && depth === 0) return undefined;
  const whole = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  const property: Property = [path[depth]!, whole];
  const last = parent.children?.at(-1);
  return (last && behindLine(text, last, property)) ?? beforeEnd(text, parent, property);
}

type Property = readonly [key: string, value: unknown];

const REMARK = String.raw`/\*[^\r\n]*?\*/`;
const REST_OF_LINE = new RegExp(
  String.raw`^(?:[ \t]|${REMARK})*(,?)(?:[ \t]|${REMARK})*(?://[^\r\n]*)?(?=\r?\n)`,
);

/** On a line of its own. A remark at the end of the line before belongs to that one. */
function behindLine(text: string, last: Node, property: Property): string | undefined {
  const end = last.offset + last.length;
  const found = REST_OF_LINE.exec(text.slice(end));
  // A comma may stand on a line further down.
  if (found === null || (found[1] === '' && hasComma(text.slice(end)))) return undefined;
  const [rest, comma] = found;
  // As deep as the line before: the end of an entry stands where the entry began.
  const line = `${indentAt(text, end)}${written(property)}${comma}`;
  const head = `${text.slice(0, end)}${comma === '' ? ',' : ''}${rest}`;
  return withLine(head, line, text.slice(end + rest.length), styleOf(text));
}

/** Before the brace that closes the object, on the line of the brace unless that stands alone there. */
function beforeEnd(text: string, parent: Node, property: Property): string {
  const brace = parent.offset + parent.length - 1;
  const last = parent.children?.at(-1);
  const end = last === undefined ? parent.offset + 1 : last.offset + last.length;
  const isFollowed = hasComma(text.slice(end, brace));
  const missing = last === undefined || isFollowed ? '' : ',';
  const head = `${text.slice(0, end)}${missing}${text.slice(end, brace)}`;
  const entry = `${written(property)}${isFollowed ? ',' : ''}`;
  const tail = text.slice(brace);
  if (!/\n[ \t]*$/.test(head)) return `${head.trimEnd()} ${entry} ${tail}`;
  const style = styleOf(text);
  const indent = indentAt(text, brace);
  const deeper = `${indent}${style.insertSpaces ? ' '.repeat(style.tabSize) : '\t'}`;
  return withLine(
    head.replace(/\r?\n[ \t]*$/, ''),
    `${deeper}${entry}`,
    `${style.eol}${indent}${tail}`,
    style,
  );
}

/** Whether a comma stands there, beside blanks and comments. */
function hasComma(between: string): boolean {
  const scanner = createScanner(between, true);
  scanner.scan();
  return between[scanner.getTokenOffset()] === ',';
}

/** On one line. */
function written([key, value]: Property): string {
  return `${JSON.stringify(key)}: ${JSON.stringify(value, null, 1).replace(/\n */g, ' ')}`;
}

function withLine(head: string, line: string, tail: string, style: Style): string {
  const text = `${head}${style.eol}${line}${tail}`;
  const range = { offset: head.length + style.eol.length, length: line.length };
  return applyEdits(text, format(text, range, style));
}

function findIn(text: string, path: readonly string[]): Node | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root && findNodeAtLocation(root, [...path]);
}

/** The blanks that the line of this place begins with. */
function indentAt(text: string, offset: number): string {
  return /(?:^|\n)([ \t]*)[^\n]*$/.exec(text.slice(0, offset))?.[1] ?? '';
}

interface Style {
  readonly insertSpaces: boolean;
  readonly tabSize: number;
  readonly eol: string;
}

/** As the file is written already. */
function styleOf(text: string): Style {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

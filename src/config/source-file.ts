/** Parses keepsake.jsonc, with the position of each key and value. */

import { readFileSync, statSync } from 'node:fs';
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { Locate } from './explain.ts';
import type { KeyPath } from './json-schema.ts';
import { oneProblem, type Place, ProblemList, pathText } from './problems.ts';

/** Configurations have a few kilobytes; a file beyond this is another file by mistake. */
export const MAX_CONFIG_BYTES = 1024 * 1024;

export interface SourceFile {
  readonly file: string;
  readonly value: unknown;
  readonly locate: Locate;
  readonly problems: ProblemList;
}

type PlaceAt = (offset: number) => Place;
type PositionAt = (offset: number) => { readonly line: number; readonly column: number };

/** Reads the text once, however many places are asked for. */
function positionsIn(text: string): PositionAt {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission to read it',
  EPERM: 'this user has no permission to read it',
  ENOENT: 'it does not exist',
  ELOOP: 'it is a symbolic link that leads back to itself',
};

const PERMISSIONS =
  'Change the owner or the permissions of the file, for example with "chmod u+r", or choose another workspace.';
const HINTS: Readonly<Record<string, string>> = {
  EACCES: PERMISSIONS,
  EPERM: PERMISSIONS,
  ENOENT: 'Create it with "keepsake init", or correct the path.',
  ELOOP: 'Correct the link.',
};

function readBytes(file: string): Buffer {
  const fail = (message: string, cause?: unknown, hint?: string) =>
    oneProblem({ file, path: '', message, ...defined({ hint }) }, cause);
  try {
    const stats = statSync(file);
    if (stats.isDirectory()) throw fail('expected a file, found a directory');
    // A pipe or a device could block forever.
    if (!stats.isFile()) throw fail('expected a regular file, found a device, pipe or socket');
    if (stats.size > MAX_CONFIG_BYTES) {
      throw fail(`the file is too large: ${stats.size} bytes, at most ${MAX_CONFIG_BYTES} are read`);
    }
    return readFileSync(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'INVALID_CONFIG') throw error;
    const reason = REASONS[code];
    if (reason !== undefined) throw fail(`the file cannot be read: ${reason}`, error, HINTS[code]);
    // A broken disk, or too many open files: nothing is wrong with the settings.
    throw new KeepsakeError('STORAGE_FAILED', `${file} cannot be read (${code || String(error)}).`, {
      cause: error,
      hint: 'Check the disk; "keepsake doctor" looks at the workspace.',
    });
  }
}

function decode(file: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    const message = wide
      ? 'the file is UTF-16; save it as UTF-8'
      : 'the file is not valid UTF-8 from here on; save it as UTF-8';
    const text = new TextDecoder().decode(bytes);
    const position = positionsIn(text)(wide ? 0 : text.indexOf('\ufffd'));
    throw oneProblem({ file, ...position, path: '', message }, cause);
  }
}

const SYNTAX: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is not JSON; keys and texts need double quotes',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'expected a key in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected ":" after the key',
  CommaExpected: 'expected "," or a closing bracket',
  CloseBraceExpected: 'expected "}"',
  CloseBracketExpected: 'expected "]"',
  EndOfFileExpected: 'expected the end of the file',
  UnexpectedEndOfComment: 'the comment has no end',
  UnexpectedEndOfString: 'the text has no closing quote',
  UnexpectedEndOfNumber: 'the number is incomplete',
  InvalidUnicode: 'expected four hexadecimal digits after "\\u"',
  InvalidEscapeCharacter: 'unknown escape after "\\"',
  InvalidCharacter: 'control characters must be escaped',
};

/** One mistake makes the parser stumble several times on the same line: only the first is worth reading. */
function reportSyntax(errors: readonly ParseError[], place: PlaceAt, problems: ProblemList): void {
  const lines = new Set<number | undefined>();
  for (const { error, offset } of errors) {
    const where = place(offset);
    if (lines.has(where.line)) continue;
    lines.add(where.line);
    const message = `syntax error: ${SYNTAX[printParseErrorCode(error)] ?? 'this is not JSON'}`;
    problems.add(() => ({ ...where, path: '', message }));
  }
}

type OnProblem = (keyNode: Node, path: KeyPath, message: string) => void;

/** Values of a syntax tree. `__proto__` is refused instead of assigned, and so is a key that was there before. */
function readNode(node: Node, path: KeyPath, report: OnProblem): unknown {
  if (node.type === 'array')
    return (node.children ?? []).map((child, index) => readNode(child, [...path, index], report));
  if (node.type !== 'object') return node.value;
  const object: Record<string, unknown> = {};
  for (const { children: [keyNode, valueNode] = [] } of node.children ?? []) {
    if (keyNode === undefined || valueNode === undefined) continue;
    const key = String(keyNode.value);
    const here = [...path, key];
    if (key === '__proto__') report(keyNode, here, 'this key is not allowed');
    else if (Object.hasOwn(object, key)) report(keyNode, here, 'duplicate key; keep one of the two');
    else object[key] = readNode(valueNode, here, report);
  }
  return object;
}

/** The property node of a path, or of the closest parent that is in the file. */
function propertyAt(root: Node | undefined, path: KeyPath): { key: Node; value: Node } | undefined {
  let value = root;
  let found: { key: Node; value: Node } | undefined;
  for (const segment of path) {
    const [key, next]: readonly (Node | undefined)[] =
      value?.children?.find((property) => property.children?.[0]?.value === segment)?.children ?? [];
    if (key === undefined || next === undefined) break;
    found = { key, value: next };
    value = next;
  }
  return found;
}

export function parseSource(file: string, text: string): SourceFile {
  const errors: ParseError[] = [];
  const problems = new ProblemList();
  const positionAt = positionsIn(text);
  const place: PlaceAt = (offset) => ({ file, ...positionAt(offset) });
  let root: Node | undefined;
  let value: unknown = {};
  try {
    // A file with nothing but comments marks a workspace and leaves every default as it is.
    root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
    reportSyntax(errors, place, problems);
    const report: OnProblem = (node, path, message) => {
      problems.add(() => ({ ...place(node.offset), path: pathText(path), message }));
    };
    if (root !== undefined && errors.length === 0) value = readNode(root, [], report);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    problems.add(() => ({ ...place(0), path: '', message: 'the values are nested too deeply' }));
  }
  const locate: Locate = (path, part) => place(propertyAt(root, path)?.[part].offset ?? root?.offset ?? 0);
  return { file, value, locate, problems };
}

export function readSource(file: string): SourceFile {
  return parseSource(file, decode(file, readBytes(file)));
}

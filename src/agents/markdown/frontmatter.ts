/** Parses an agent file into YAML settings and prompt, with positions for error messages. */
import { type Document, isMap, isScalar, type Node, parseDocument } from 'yaml';
import type { AgentProblem } from './problems.ts';

export type KeyPath = readonly PropertyKey[];
type Position = Required<Pick<AgentProblem, 'line' | 'column'>>;

export interface Frontmatter {
  readonly settings: Readonly<Record<string, unknown>>;
  /** Without the empty lines around it. */
  readonly prompt: string;
  readonly problems: readonly AgentProblem[];
  /** Where a key, or the value behind it, was written; for one that is not there, where its block begins. */
  locate(path: KeyPath, part: 'key' | 'value'): Position;
}

const OPENING = /^---[ \t]*(?:\r\n|\n|$)/;
const CLOSING = /^---[ \t]*$/m;

const WORDS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'duplicate key; keep one of the two',
  TAB_AS_INDENT: 'YAML does not allow tabs at the beginning of a line; use spaces',
  BAD_INDENT: 'the indentation does not match the lines around it',
  BLOCK_IN_FLOW: 'a list or a block cannot be inside brackets',
  MISSING_CHAR: 'something is missing here, for example a closing quote or bracket, or ":" after a key',
  BLOCK_AS_IMPLICIT_KEY: 'a value with ": " needs quotes',
  TAG_RESOLVE_FAILED: 'tags are not allowed',
  BAD_ALIAS: 'this alias does not exist',
  MULTIPLE_DOCS: 'there is a second document here',
};

function positionIn(text: string, offset: number): Position {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

/** The pair of a path, or of the nearest parent that was written. */
function pairAt(document: Document, path: KeyPath): { key: Node; value: Node | null } | undefined {
  let node: unknown = document.contents;
  let found: { key: Node; value: Node | null } | undefined;
  for (const segment of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(segment));
      if (pair === undefined) break;
      found = { key: pair.key as Node, value: pair.value as Node | null };
      node = pair.value;
    } else if (node !== null && typeof node === 'object' && 'items' in node && Array.isArray(node.items)) {
      const item = node.items[Number(segment)] as Node | undefined;
      if (item === undefined) break;
      found = { key: item, value: item };
      node = item;
    } else break;
  }
  return found;
}

function none(file: string, message: string): Frontmatter {
  const place = { line: 1, column: 1 };
  return {
    settings: {},
    prompt: '',
    problems: [{ file, ...place, path: '', message }],
    locate: () => place,
  };
}

const HOW = 'begin with a line "---", then the settings, then another line "---", then the prompt';

export function readFrontmatter(file: string, given: string): Frontmatter {
  const text = given.replace(/^\ufeff/, '');
  const opening = OPENING.exec(text);
  if (opening === null) return none(file, `there is no frontmatter; ${HOW}`);
  const start = opening[0].length;
  const closing = CLOSING.exec(text.slice(start).replaceAll('\r\n', ' \n'));
  if (closing === null) return none(file, `the frontmatter has no end; ${HOW}`);
  const source = text.slice(start, start + closing.index);
  const document = parseDocument(source, { uniqueKeys: true, logLevel: 'silent', prettyErrors: false });
  const problems: AgentProblem[] = [];
  const report = (offset: number, path: string, message: string): void => {
    problems.push({ file, ...positionIn(text, start + offset), path, message });
  };
  for (const { code, pos, message } of [...document.errors, ...document.warnings]) {
    report(pos[0], '', WORDS[code] ?? `this is not YAML (${message})`);
  }
  let settings: unknown = {};
  if (problems.length === 0) {
    try {
      settings = document.toJS({ maxAliasCount: 20 }) ?? {};
    } catch {
      report(0, '', 'too many aliases');
    }
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    report(0, '', 'expected settings such as "history: medium", one per line');
    settings = {};
  }
  return {
    settings: settings as Record<string, unknown>,
    prompt: text.slice(start + closing.index + closing[0].length).trim(),
    problems,
    locate: (path, part) => {
      const pair = pairAt(document, path);
      const node = part === 'key' ? pair?.key : (pair?.value ?? pair?.key);
      return positionIn(text, start + (node?.range?.[0] ?? 0));
    },
  };
}

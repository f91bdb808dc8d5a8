/** Which tests carry the id of a promise in their name, or in the name of a group around them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface NamedTest {
  readonly file: string;
  readonly name: string;
  readonly ids: readonly string[];
}

const ID = /\b[A-E]-\d\d\b/g;
/** `it('…')`, `describe.each(names)('…')`, and `proves: '…'` of the pages whose snippets are run. */
const TITLE = /(?:\b(?:describe|it|test)\b[^'"`\n]*\(|\bproves:)\s*(['"`])((?:\\.|(?!\1).)+)\1/g;
/** `it.each([…])('…')`: the rows of the table, and the title. */
const TABLE = /\beach(?:<[^\n]*>)?\(\[\n([\s\S]*?)\n\s*\](?:\s+as const)?\)\(\s*(['"`])((?:\\.|(?!\2).)+)\2/g;
/** A row that begins with the promise it is about. */
const ROW_IDS = /^\s*\['((?:[A-E]-\d\d ?)+)'/gm;

export function namedTests(root: string): NamedTest[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .sort()
    .flatMap((file) => titlesIn(file, readFileSync(join(root, file), 'utf8')));
}

function titlesIn(file: string, source: string): NamedTest[] {
  const plain = [...source.matchAll(TITLE)].map(([, , title = '']) => ({ title, ids: idsOf(title) }));
  const tables = [...source.matchAll(TABLE)].map(([, rows = '', , title = '']) => ({
    title,
    ids: [
      ...new Set([...idsOf(title), ...[...rows.matchAll(ROW_IDS)].flatMap(([, ids = '']) => idsOf(ids))]),
    ],
  }));
  return [...plain, ...tables].flatMap(({ title, ids }) =>
    ids.length === 0 ? [] : [{ file, name: nameOf(title), ids }],
  );
}

const idsOf = (text: string): string[] => text.match(ID) ?? [];

const nameOf = (title: string): string =>
  title
    .replace(ID, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s:,]+/, '')
    .trim();

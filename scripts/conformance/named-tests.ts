/** Which tests carry the id of a promise in their name, or in the name of a group around them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface NamedTest {
  readonly file: string;
  readonly name: string;
  readonly ids: readonly string[];
}

const ID = /\b[A-E]-\d\d\b/g;
/** `it('…')`, `describe.each(…)('…')`, and `proves: '…'` of the pages whose snippets are run. */
const TITLE = /(?:\b(?:describe|it|test)\b[^'"`\n]*\(|\bproves:)\s*(['"`])((?:\\.|(?!\1).)+)\1/g;

export function namedTests(root: string): NamedTest[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .sort()
    .flatMap((file) => titlesIn(file, readFileSync(join(root, file), 'utf8')));
}

function titlesIn(file: string, source: string): NamedTest[] {
  return [...source.matchAll(TITLE)].flatMap(([, , title = '']) => {
    const ids = title.match(ID) ?? [];
    const name = title
      .replace(ID, '')
      .replace(/\s+/g, ' ')
      .replace(/^[\s:,]+/, '')
      .trim();
    return ids.length === 0 ? [] : [{ file, name, ids }];
  });
}

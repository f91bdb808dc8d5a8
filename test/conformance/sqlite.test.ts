/** The SQLite engine passes the suites of all its stores, on real files: with the very lines of docs/guides/drivers.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import * as testing from '../../src/testing/index.ts';
import { snippetsOf } from '../docs/support/snippets.ts';
import { makeFolder } from '../fixtures/temporary-folder.ts';

const PAGE = 'docs/guides/drivers.md';
const page = readFileSync(join(import.meta.dirname, '../..', PAGE), 'utf8');
const [, program = ''] = snippetsOf(PAGE, page).flatMap(({ language, text }) =>
  language === 'ts' ? [text] : [],
);

const { folder, remove } = makeFolder();
afterAll(remove);
const openMine = (place: string) => openSqlite({ file: join(folder, place, 'data', 'keepsake.db') });

// What is imported is handed over, and this engine does nothing otherwise than the suites say.
const body = program.replaceAll(/^import \{[^}]*\} from '[^']+';$/gm, '').replace(/\n {2}diverges: .*/, '');
const names = { ...testing, describe, expect, it, openMine };
new Function(...Object.keys(names), body)(...Object.values(names));

it('all eight suites are run by the page', () => {
  const suites = Object.keys(testing).filter((name) => name.endsWith('Conformance'));
  expect(suites).toHaveLength(8);
  for (const suite of suites) expect(body).toContain(`${suite}(`);
  expect(body).not.toContain('diverges');
});

/** What a database file still says about forgotten records: nothing, in any page, however rows were moved about. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import { addRecord, context } from '../../../src/testing/conformance/drafts.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

describe('the file after forgetting', () => {
  it('does not name a page of the text index after a forgotten word', async () => {
    const file = join(temporaryFolder(), 'k.db');
    const { records, close } = await openSqlite({ file });
    const ids = new Map<string, string>();
    for (let i = 0; i < 1_500; i += 250) {
      await Promise.all(
        Array.from({ length: 250 }, async (_, j) => {
          const word = `passphrase${String(i + j).padStart(6, '0')}`;
          ids.set(word, (await addRecord(records, { content: word })).id);
        }),
      );
    }
    const spy = new SqliteDatabase(file, { readonly: true });
    const names = () =>
      (spy.prepare('SELECT CAST(term AS TEXT) FROM records_text_idx').pluck().all() as string[]).map((name) =>
        name.slice(1),
      );
    const betrayed = names().filter((name) => ids.has(name));
    expect(betrayed.length).toBeGreaterThan(0);
    for (const word of betrayed) {
      await records.forget(ids.get(word)!, context());
      ids.delete(word);
    }
    expect(names().filter((name) => betrayed.includes(name))).toEqual([]);
    spy.close();
    await close();
    const data = readFileSync(file, 'latin1');
    expect(betrayed.filter((word) => data.includes(word))).toEqual([]);
  });
});

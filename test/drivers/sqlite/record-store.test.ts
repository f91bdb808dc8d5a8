/** The book-keeping of the record store stays right, whatever happens to the records. */
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import { ALICE, addRecord, context, recordDraft, START } from '../../../src/testing/conformance/drafts.ts';
import { seededRandom } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

it('the count of facts is that of the rows, after a long random life', async () => {
  const file = join(temporaryFolder(), 'k.db');
  const { records, maintenance, close } = await openSqlite({ file });
  const random = seededRandom(7);
  const ids = [(await addRecord(records)).id];
  let at = START;
  for (let i = 0; i < 200; i++) {
    at += random.below(10);
    const id = random.pick(ids);
    const options = { maxFacts: 8 };
    const writer = context(ALICE, at);
    const expiresAt = random.pick([null, at, at + random.below(20)]);
    const step = random.below(8);
    if (step < 4) {
      const draft = recordDraft({ expiresAt, source: random.pick(['manual', 'extracted', 'knowledge']) });
      ids.push((await records.add(draft, options, writer)).record.id);
    } else if (step < 6) {
      await records.update(id, { expiresAt }, options, writer).catch(() => {});
    } else if (step === 6) {
      await records.revert(id, undefined, options, writer).catch(() => {});
    } else if (random.below(4) === 0) {
      await records.forget(id, writer);
    }
  }
  const spy = new SqliteDatabase(file, { readonly: true });
  const counted = spy
    .prepare("SELECT count(*) FROM records WHERE agent = 'alice' AND counted = 1")
    .pluck()
    .get();
  spy.close();
  expect(await records.agents()).toEqual([{ name: 'alice', createdAt: START, facts: counted }]);
  const findings = await maintenance.examine({ fix: false, now: at });
  expect(findings.filter((finding) => finding.severity === 'problem')).toEqual([]);
  await close();
});

it('records of one group share one piece of the text index, vectors or not', async () => {
  const file = join(temporaryFolder(), 'k.db');
  const { records, close } = await openSqlite({ file });
  const embedding = { model: 'test', vector: new Float32Array([1, 0]) };
  await Promise.all(
    Array.from({ length: 6 }, (_, i) => addRecord(records, { content: `number ${i}`, embedding })),
  );
  await close();
  const spy = new SqliteDatabase(file, { readonly: true });
  const pieces = spy.prepare('SELECT count(DISTINCT segid) FROM records_text_idx').pluck().get();
  spy.close();
  expect(pieces).toBe(1);
});

it('600 calls at once are more than one group, and a forget among them still empties the journal', async () => {
  const { records, close } = await openSqlite({ file: join(temporaryFolder(), 'k.db') });
  const { id } = await addRecord(records, { content: 'a secret' });
  const [erasure] = await Promise.all([
    records.forget(id, context()),
    ...Array.from({ length: 599 }, () => addRecord(records)),
  ]);
  expect(erasure).toMatchObject({ characters: 8, journalErased: true, pagesErased: true });
  await close();
});

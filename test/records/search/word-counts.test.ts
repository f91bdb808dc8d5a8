/** Words of candidates, from the store's own table or from their texts: the same rows either way. */
import { expect, it } from 'vitest';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import { ONLY_IN_LABELS } from '../../../src/kernel/term-count.ts';
import type { RecordStore } from '../../../src/ports/record-store.ts';
import { WordCounts } from '../../../src/records/search/word-counts.ts';
import { ADMIN, addRecord, START } from '../../../src/testing/conformance/drafts.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const TERMS = ['tea', 'fact', 'green', 'quokka', 'absent'];
const TELLING = new Map(TERMS.map((term, i) => [term, i + 1]));

async function filled() {
  const storage = await openSqlite({ file: `${temporaryFolder()}/k.db`, textSearch: 'resident' });
  const long = `tea ${'word '.repeat(2_000)} the quokka drinks green tea`;
  for (const draft of [
    { content: 'tea, tea and green tea' },
    { content: 'nothing of that', tags: ['green'] },
    { content: '茶 and tea', category: 'tea' },
    { content: long },
  ])
    await addRecord(storage.records, draft);
  const records = await storage.records.list({ viewer: ADMIN, now: START, filter: {}, limit: 10 });
  return { storage, records: records.toReversed() };
}

/** The same store, which cannot tell how often a word stands anywhere. */
const withoutTable = (store: RecordStore): RecordStore =>
  ({ list: store.list.bind(store) }) as unknown as RecordStore;

const rowsOf = (rows: readonly { counts: Uint16Array; start: number; length: number }[]) =>
  rows.map(({ counts, start, length }) => [length, ...counts.slice(start, start + TERMS.length)]);

it('are the same from the table and from the texts', async () => {
  const { storage, records } = await filled();
  const known = await new WordCounts(storage.records).of(records, TERMS, TELLING);
  const read = await new WordCounts(withoutTable(storage.records)).of(records, TERMS, TELLING);
  expect(rowsOf(known)).toEqual(rowsOf(read));
  expect(rowsOf(known).slice(0, 3)).toEqual([
    [5, 3, ONLY_IN_LABELS, 1, 0, 0],
    [3, 0, ONLY_IN_LABELS, ONLY_IN_LABELS, 0, 0],
    [3, 1, 0, 0, 0, 0],
  ]);
  // Three short texts were not read at all; the long one is judged by the passage that answers.
  expect(known.map(({ terms }) => terms !== undefined)).toEqual([false, false, false, true]);
  expect(known[3]!.terms!.passage!.start).toBeGreaterThan(0);
  await storage.close();
});

it('of further terms are counted in the same passage of a long text', async () => {
  const { storage, records } = await filled();
  const words = new WordCounts(storage.records);
  const counted = await words.of(records, TERMS, TELLING);
  const rows = await words.again(records, counted, ['drink', 'tea']);
  const long = rows[3]!;
  expect([...long.counts.slice(long.start, long.start + 2)]).toEqual([1, 1]);
  expect([rows[0]!.length, rows[0]!.counts[rows[0]!.start + 1]]).toEqual([5, 3]);
  await storage.close();
});

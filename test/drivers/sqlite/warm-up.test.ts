/** What is read ahead is not read again, and is as the database has it. */
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import { RecordCache } from '../../../src/drivers/sqlite/record-cache.ts';
import { VectorCache } from '../../../src/drivers/sqlite/vectors/vector-cache.ts';
import { WarmUp } from '../../../src/drivers/sqlite/warm-up.ts';
import { ADMIN, addRecord, START } from '../../../src/testing/conformance/drafts.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const RECORDS = 100;
const QUERY = Float32Array.from([1, 0]);

test('a warm-up reads all records and vectors, and a search then reads none', async () => {
  const file = join(temporaryFolder(), 'k.db');
  const storage = await openSqlite({ file });
  onTestFinished(() => storage.close());
  const embedding = { model: 'test:model@1', vector: Float32Array.from([0.6, 0.8]) };
  await Promise.all(
    Array.from({ length: RECORDS }, (_, i) =>
      addRecord(storage.records, { content: `word ${i}`, embedding }),
    ),
  );
  const statements: string[] = [];
  const database = new SqliteDatabase(file, { verbose: (sql) => statements.push(String(sql)) });
  onTestFinished(() => void database.close());
  const [records, vectors] = [new RecordCache(database), new VectorCache(database)];
  const read = records.reader({ viewer: ADMIN, filter: {}, now: START });
  const seen = (): unknown[] =>
    Array.from({ length: RECORDS }, (_, i) => [read(i + 1)?.content, vectors.withRecord(QUERY, 1, i + 1)]);
  vectors.refresh();
  // Vectors are read ahead for the model that was searched with.
  expect(vectors.withRecord(QUERY, 1, RECORDS)).toBeCloseTo(0.6, 6);
  new WarmUp(database, records, vectors).begin();
  await vi.waitFor(() =>
    expect(statements.filter((sql) => sql.includes('record_vectors')).length).toBe(RECORDS),
  );
  await vi.waitFor(() => expect(database.inTransaction).toBe(false));
  statements.length = 0;
  const warm = seen();
  expect(statements).toEqual([]);
  expect(new Set(warm.map((each) => JSON.stringify(each))).size).toBe(RECORDS);

  database.exec(`UPDATE records SET content = 'changed here' WHERE rid = 7`);
  expect(read(7)?.content).toBe('changed here');
  const other = new SqliteDatabase(file);
  other.exec(`UPDATE records SET content = 'changed there' WHERE rid = 8`);
  other.close();
  records.refresh();
  expect(read(8)?.content).toBe('changed there');
});

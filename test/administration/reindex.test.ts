/** Indexes that were lost or spoilt are rebuilt from the rows, and every answer is what it was. */
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, it } from 'vitest';
import { workspaceReindex } from '../../src/administration/reindex.ts';
import { testWorkspace } from '../fixtures/workspace.ts';
import { answers, fill } from '../transfer/everything.ts';

it('keepsake reindex makes the words of memories and messages and the packs of vectors again', async () => {
  const workspace = testWorkspace();
  const client = await fill(workspace);
  const before = await answers(client);
  await client.close();
  const database = new SqliteDatabase(join(workspace.folder, 'data/keepsake.db'));
  database.exec(`
    INSERT INTO records_text (records_text) VALUES ('delete-all');
    INSERT INTO messages_text (messages_text) VALUES ('delete-all');
    INSERT INTO vector_packs (model, silo, first_seq, last_seq, count, data) SELECT key, 'alice', 1, 9, 9, x'00' FROM embedding_models;
  `);
  const { live, vectors } = database
    .prepare(
      `SELECT (SELECT count(*) FROM records WHERE forgotten_at IS NULL) AS live, (SELECT count(*) FROM record_vectors) AS vectors`,
    )
    .get() as { live: number; vectors: number };
  database.close();

  const second = workspace.open();
  expect(await answers(second)).not.toEqual(before);
  const progress: { done: number; total: number }[] = [];
  const report = await workspaceReindex(await second.open(), { onProgress: (each) => progress.push(each) });
  expect(report).toEqual({ records: live, messages: 5, vectors });
  expect(progress.at(-1)).toEqual({ done: live + 5 + vectors, total: live + 5 + vectors });
  await second.close();
  const third = workspace.open();
  expect(await answers(third)).toEqual(before);
  const { storage } = await third.open();
  const findings = await storage.maintenance.examine({ fix: false, now: workspace.clock.now() });
  expect(findings.filter(({ severity }) => severity === 'problem')).toEqual([]);
});

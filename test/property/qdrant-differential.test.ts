/** The same random history lived on SQLite, and on SQLite with Qdrant beside it: every answer and every refusal is the same. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { examineQdrant, withQdrant } from '../../src/drivers/qdrant/index.ts';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import type { Storage } from '../../src/ports/storage.ts';
import { seededRandom } from '../../src/testing/index.ts';
import { type QdrantServer, qdrantForTests } from '../drivers/qdrant/server.ts';
import { Outside, PREFIX, settled } from '../drivers/qdrant/workbench.ts';
import { History, type Step } from '../fixtures/storage-history.ts';
import { makeFolder } from '../fixtures/temporary-folder.ts';

const SEED = Number(process.env.KEEPSAKE_SEED ?? Math.floor(Math.random() * 2 ** 31));
const HISTORIES = 3;
const STEPS = 250;

let server: Pick<QdrantServer, 'url'>;
beforeAll(async () => {
  server = await qdrantForTests();
});
afterAll(async () => {
  await new Outside(server.url).drop(PREFIX);
});

async function answerOf(step: Step, storage: Storage): Promise<unknown> {
  try {
    return await step.run(storage);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === undefined || code === 'INTERNAL') throw error;
    return { code, message: message.replace(/^The database .*$/, 'the engine') };
  }
}

async function live(seed: number): Promise<void> {
  const { folder, remove } = makeFolder();
  const options = { url: server.url, prefix: PREFIX };
  const plain = await openSqlite({
    file: join(folder, 'plain.db'),
    textSearch: 'fts5',
    vectorSearch: 'plain',
  });
  const main = await openSqlite({ file: join(folder, 'main.db'), textSearch: 'fts5', vectorSearch: 'plain' });
  const indexed = withQdrant(main, options);
  const history = new History(seededRandom(seed));
  const told: string[] = [];
  try {
    for (let i = 0; i < STEPS; i++) {
      const step = history.next();
      told.push(`${i}: ${step.name}`);
      // Now and then all is carried, so that Qdrant alone says what is near.
      if (i % 5 === 0) await settled(indexed);
      const [expected, found] = [await answerOf(step, plain), await answerOf(step, indexed)];
      expect(found, `seed ${seed}\n${told.slice(-40).join('\n')}`).toEqual(expected);
    }
    await settled(indexed);
    const findings = await examineQdrant(main, { ...options, fix: false });
    // A history may erase the last memory that a model has read: its collection is left over then, and rightly named.
    expect(findings.filter(({ check, severity }) => severity !== 'ok' && check !== 'qdrant.unused')).toEqual(
      [],
    );
  } finally {
    await indexed.close();
    await plain.close();
    remove();
  }
}

it(`${HISTORIES} histories of ${STEPS} steps get the same answers`, async () => {
  console.log(`seed ${SEED}; repeat with KEEPSAKE_SEED=${SEED}`);
  for (let i = 0; i < HISTORIES; i++) await live(SEED + i);
});

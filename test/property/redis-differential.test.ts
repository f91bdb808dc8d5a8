/** The same random history lived on SQLite, and on SQLite with Redis beside it: every answer and every refusal is the same. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withRedis } from '../../src/drivers/redis/index.ts';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import type { Storage } from '../../src/ports/storage.ts';
import { seededRandom } from '../../src/testing/index.ts';
import { type RedisServer, redisServer } from '../drivers/redis/server.ts';
import { History, type Step } from '../fixtures/storage-history.ts';
import { makeFolder } from '../fixtures/temporary-folder.ts';

const SEED = Number(process.env.KEEPSAKE_SEED ?? Math.floor(Math.random() * 2 ** 31));
const HISTORIES = 4;
const STEPS = 400;
/**
 * Where Redis is known to do otherwise. It removes by its own clock what outlived its lease, and the clock of a history runs ahead;
 * and it has a copy of a message that is in the log too, which goes when the run's messages do.
 */
const OTHERWISE = /^(sweep$|publish \{"id":"msg_)/;

let server: RedisServer;
beforeAll(async () => {
  server = await redisServer(['--databases', String(HISTORIES)]);
});
afterAll(() => server.stop());

async function answerOf(step: Step, storage: Storage): Promise<unknown> {
  try {
    return await step.run(storage);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === undefined || code === 'INTERNAL') throw error;
    // What an engine itself refuses, it says in its own words.
    return {
      code,
      message: message.replace(/^(The database .*|There is a run \w+ already\.)$/, 'the engine'),
    };
  }
}

/** Which kinds of answers there were. */
async function live(seed: number, url: string): Promise<Set<string>> {
  const { folder, remove } = makeFolder();
  const open = (name: string) =>
    openSqlite({ file: join(folder, name), textSearch: 'fts5', vectorSearch: 'plain' });
  const plain = await open('plain.db');
  const shared = await withRedis(await open('main.db'), { url });
  const history = new History(seededRandom(seed));
  const told: string[] = [];
  const outcomes = new Set<string>();
  try {
    for (let i = 0; i < STEPS; i++) {
      const step = history.next();
      if (OTHERWISE.test(step.name)) continue;
      told.push(`${i}: ${step.name}`);
      const [expected, found] = [await answerOf(step, plain), await answerOf(step, shared)];
      expect(found, `seed ${seed}\n${told.slice(-40).join('\n')}`).toEqual(expected);
      outcomes.add((expected as { code?: string } | undefined)?.code ?? 'answered');
    }
  } finally {
    await plain.close();
    await shared.close();
    remove();
  }
  return outcomes;
}

it(`${HISTORIES} random histories of ${STEPS} steps get the same answers`, async () => {
  console.log(`seed ${SEED}; repeat with KEEPSAKE_SEED=${SEED}`);
  const seen = new Set<string>();
  for (let i = 0; i < HISTORIES; i++)
    for (const kind of await live(SEED + i, `${server.url}/${i}`)) seen.add(kind);
  // Otherwise the histories would not have been worth living.
  for (const kind of ['CONFLICT', 'NOT_FOUND', 'answered']) expect(seen).toContain(kind);
});

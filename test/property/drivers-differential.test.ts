/** The same random history lived on SQLite and on Postgres: every answer and every refusal is the same. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../src/drivers/postgres/index.ts';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import type { Storage } from '../../src/ports/storage.ts';
import { seededRandom } from '../../src/testing/index.ts';
import { type Schemas, schemasForTests } from '../drivers/postgres/schemas.ts';
import { History, type Step } from '../fixtures/storage-history.ts';
import { makeFolder } from '../fixtures/temporary-folder.ts';

const SEED = Number(process.env.KEEPSAKE_SEED ?? Math.floor(Math.random() * 2 ** 31));
const HISTORIES = 4;
const STEPS = 250;

let schemas: Schemas;
beforeAll(async () => {
  schemas = await schemasForTests();
});
afterAll(() => schemas.stop());

/** What stays behind after a forget differs by engine, and each says so in its own words. */
function withoutRemains(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withoutRemains);
  if (typeof answer !== 'object' || answer === null || !('remains' in answer)) return answer;
  const { remains: _, ...others } = answer;
  return others;
}

async function answerOf(step: Step, storage: Storage): Promise<unknown> {
  try {
    return withoutRemains(await step.run(storage));
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === undefined || code === 'INTERNAL') throw error;
    // What an engine itself refuses, it says in its own words.
    return { code, message: message.replace(/^(The database|Postgres at) .*$/, 'the engine') };
  }
}

/** Both hold the same records, and a third storage does once they were carried there. */
async function moved(sqlite: Storage, postgres: Storage, about: string): Promise<void> {
  const all = { limit: 10_000 };
  const copies = await sqlite.copies!.read(all);
  expect(await postgres.copies!.read(all), about).toEqual(copies);
  const url = schemas.take();
  const target = await openPostgres({ url });
  const context = { at: 0, viewer: { role: 'admin' }, via: 'sdk', dryRun: false } as const;
  expect(new Set(await target.copies!.write(copies, context)), about).toEqual(new Set(['added']));
  expect(await target.copies!.read(all), about).toEqual(copies);
  await target.close();
  await schemas.giveBack(url);
}

async function live(seed: number): Promise<Set<string>> {
  const { folder, remove } = makeFolder();
  const url = schemas.take();
  const sqlite = await openSqlite({
    file: join(folder, 'keepsake.db'),
    textSearch: 'fts5',
    vectorSearch: 'plain',
  });
  const postgres = await openPostgres({ url });
  const history = new History(seededRandom(seed));
  const told: string[] = [];
  const outcomes = new Set<string>();
  try {
    for (let i = 0; i < STEPS; i++) {
      const step = history.next();
      told.push(`${i}: ${step.name}`);
      const [expected, found] = [await answerOf(step, sqlite), await answerOf(step, postgres)];
      expect(found, `seed ${seed}\n${told.slice(-40).join('\n')}`).toEqual(expected);
      outcomes.add((expected as { code?: string } | undefined)?.code ?? 'answered');
    }
    await moved(sqlite, postgres, `seed ${seed}`);
    const findings = await postgres.maintenance.examine({ fix: false, now: history.now });
    expect(findings.filter(({ severity }) => severity === 'problem')).toEqual([]);
  } finally {
    await sqlite.close();
    await postgres.close();
    await schemas.giveBack(url);
    remove();
  }
  return outcomes;
}

describe('random histories on two engines', () => {
  it(`${HISTORIES} of ${STEPS} steps get the same answers`, async () => {
    console.log(`seed ${SEED}; repeat with KEEPSAKE_SEED=${SEED}`);
    const seen = new Set<string>();
    const wanted = ['CONFLICT', 'FORBIDDEN', 'FORGOTTEN', 'NOT_FOUND', 'INVALID_NAME', 'answered'];
    const complete = () => wanted.every((kind) => seen.has(kind));
    // Few histories may by chance not meet every kind of answer; then more are taken.
    for (let i = 0; i < HISTORIES || (i < 5 * HISTORIES && !complete()); i++) {
      for (const kind of await live(SEED + i)) seen.add(kind);
    }
    expect([...seen]).toEqual(expect.arrayContaining(wanted));
  });
});

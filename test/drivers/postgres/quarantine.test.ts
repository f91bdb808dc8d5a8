/** The quarantine in Postgres: the same write counts, the oldest entries are dropped, and a taken id is refused. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres } from '../../../src/drivers/postgres/index.ts';
import type { RefusedWrite } from '../../../src/ports/quarantine-store.ts';
import { type Schemas, schemasForTests } from './schemas.ts';

let schemas: Schemas;

beforeAll(async () => {
  schemas = await schemasForTests();
});
afterAll(() => schemas.stop());

const LIMITS = { entries: 3, characters: 100 };
const ALL = { states: ['waiting', 'released'] as const, limit: 10 };

function writeOf(id: string, content: string, at = 1_000): RefusedWrite {
  return {
    ...{
      id,
      at,
      agent: 'ada',
      via: 'sdk',
      session: null,
      user: null,
      verb: 'memory.add',
      input: { content },
    },
    ...{ content, category: 'fact', origin: 'agent', reasons: ['injection', 'it says "ignore"'] },
  };
}

async function store() {
  const url = schemas.take();
  const storage = await openPostgres({ url });
  const { quarantine } = storage;
  return {
    quarantine,
    put: (write: RefusedWrite) =>
      quarantine.put(
        write,
        {
          type: 'memory.blocked',
          at: write.at,
          via: 'sdk',
          agent: 'ada',
          category: 'fact',
          reasons: [...write.reasons],
        },
        LIMITS,
      ),
    ids: async () => (await quarantine.list(ALL)).map(({ id }) => id),
    close: async () => {
      await storage.close();
      await schemas.giveBack(url);
    },
  };
}

it('counts the same write, keeps the newest within the limits, and refuses an id that is taken', async () => {
  const { quarantine, put, ids, close } = await store();
  expect((await put(writeOf('q1', 'a'))).id).toBe('q1');
  expect((await put(writeOf('q2', 'a', 2_000))).id).toBe('q1');
  expect(await quarantine.get('q1')).toMatchObject({
    times: 2,
    at: 1_000,
    lastAt: 2_000,
    reasons: writeOf('', '').reasons,
  });
  for (const id of ['q3', 'q4']) await put(writeOf(id, id));
  expect(await ids()).toEqual(['q4', 'q3', 'q1']);
  await put(writeOf('q5', 'e'));
  expect(await ids()).toEqual(['q5', 'q4', 'q3']);
  await put(writeOf('q6', 'x'.repeat(200)));
  expect(await ids()).toEqual(['q6']);
  await expect(put(writeOf('q6', 'other'))).rejects.toMatchObject({ code: 'CONFLICT' });
  await close();
});

it('a released write is a new entry when it comes again', async () => {
  const { quarantine, put, ids, close } = await store();
  await put(writeOf('q1', 'a'));
  expect(await quarantine.release('q1', { at: 3_000, by: 'eve', as: 'mem_1' })).toBe(true);
  expect(await quarantine.get('q1')).toMatchObject({ state: 'released', input: null, content: null });
  expect((await put(writeOf('q2', 'a'))).id).toBe('q2');
  expect(await ids()).toEqual(['q2', 'q1']);
  await close();
});

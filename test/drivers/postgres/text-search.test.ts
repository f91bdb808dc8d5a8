/** Postgres reads few of the rows that a question's words lead to, and finds the same as SQLite, which reads all of them. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres } from '../../../src/drivers/postgres/index.ts';
import { RarestWords } from '../../../src/drivers/postgres/rarest-words.ts';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import type { RecordFilter } from '../../../src/ports/record-store.ts';
import type { Storage } from '../../../src/ports/storage.ts';
import { seededRandom } from '../../../src/testing/index.ts';
import { makeFolder } from '../../fixtures/temporary-folder.ts';
import { type Schemas, schemasForTests } from './schemas.ts';

/** More than are weighed one by one. */
const COUNT = 1_300;
const WORDS = 120;
const AT = 1_767_225_600_000;
const random = seededRandom(7);

/** Few words are in most texts, and most are in few. */
const word = (): string => `word${Math.floor(WORDS ** random.next())}`;
const words = (count: number): string[] => Array.from({ length: count }, word);

let schemas: Schemas;
let postgres: Storage;
let sqlite: Storage;
const { folder, remove } = makeFolder();

beforeAll(async () => {
  schemas = await schemasForTests();
  postgres = await openPostgres({ url: schemas.take() });
  sqlite = await openSqlite({ file: join(folder, 'keepsake.db'), textSearch: 'fts5', vectorSearch: 'plain' });
  const context = { at: AT, viewer: { role: 'admin' }, via: 'sdk' } as const;
  const drafts = Array.from({ length: COUNT }, (_, i) => ({
    ...({ id: `mem_${i}`, source: 'manual', confidence: 1, metadata: {}, origin: 'user' } as const),
    agent: i % 50 === 0 ? 'rare' : 'common',
    scope: i % 7 === 0 ? ('swarm' as const) : ('agent' as const),
    category: i % 60 === 0 ? 'wanted' : 'fact',
    content: `${words(1 + Math.floor(random.next() * 20)).join(' ')} number${i}`,
    tags: i % 9 === 0 ? [word()] : [],
    ...{ pinned: false, thread: null, user: null, validFrom: null, expiresAt: null },
  }));
  for (const storage of [postgres, sqlite])
    await Promise.all(drafts.map((draft) => storage.records.add(draft, { maxFacts: 1e6 }, context)));
});
afterAll(async () => {
  await postgres.close();
  await sqlite.close();
  remove();
  await schemas.stop();
});

async function found(storage: Storage, terms: readonly string[], filter: RecordFilter, limit: number) {
  const viewer = { role: 'worker', agent: 'common' } as const;
  const hits = await storage.records.searchText({ viewer, now: AT, filter, terms, limit });
  return hits.map(({ record, textScore }) => [record.id, textScore]);
}

it('the same records with the same scores in the same order, whatever is asked for', async () => {
  for (let i = 0; i < 120; i++) {
    const terms = [...new Set(words(1 + (i % 12)))];
    const filter = [{}, {}, { categories: ['wanted'] }, { scopes: ['swarm' as const] }][i % 4]!;
    const limit = [1, 5, 30, 100][(i >> 2) % 4]!;
    const expected = await found(sqlite, terms, filter, limit);
    expect([terms, filter, limit, await found(postgres, terms, filter, limit)]).toEqual([
      ...[terms, filter, limit],
      expected,
    ]);
  }
});

it('the same messages in the same order, also when a word is asked for twice', async () => {
  const messages = Array.from({ length: COUNT }, (_, i) => {
    const text = words(1 + Math.floor(random.next() * 20)).join(' ');
    const said = { thread: `thread ${i % 3}`, role: 'user', at: AT + i, text, content: [{ text }] };
    return { id: `msg_${i}`, agent: 'common', run: null, metadata: {}, ...said };
  });
  for (const { log } of [postgres, sqlite])
    for (let i = 0; i < COUNT; i += 100) await log.append(messages.slice(i, i + 100));
  for (let i = 0; i < 60; i++) {
    const terms = [...words(1 + (i % 8)), ...words(i % 3)];
    const query = { terms: [...terms, terms[0]!], limit: [1, 10, 50][i % 3]! };
    const within = i % 2 === 0 ? query : { ...query, agent: 'common', thread: 'thread 1' };
    const found = await Promise.all([postgres, sqlite].map(({ log }) => log.search(within)));
    const [here, there] = found.map((hits) => hits.map(({ id }) => id));
    expect([within, here]).toEqual([within, there]);
  }
});

it('a filter gets as many as match, up to the limit, and never fewer', async () => {
  const wanted = await found(postgres, ['word1'], { categories: ['wanted'] }, 100);
  expect(wanted.length).toBeGreaterThan(2);
  for (const limit of [1, 2, 100])
    expect(await found(postgres, ['word1', 'number3'], { categories: ['wanted'] }, limit)).toHaveLength(
      Math.min(limit, wanted.length),
    );
});

it('who holds only common words is not read when he cannot be among the best', () => {
  const rarest = new RarestWords(
    [
      { term: 'the', holders: 90_000, times: 1 },
      { term: 'harbour', holders: 400, times: 1 },
      { term: 'closed', holders: 9_000, times: 1 },
    ],
    100_000,
    20,
  );
  expect(rarest.rarest(rarest.start())).toEqual(['harbour', 'closed']);
  const { words: rest, most } = rarest.common(2);
  expect([rest, most < 0.001]).toEqual([['the'], true]);
  // Twenty that score more than "the" can give are enough; as long as there are fewer, all must be looked at.
  expect(rarest.next(2, Array(20).fill(4))).toBeUndefined();
  expect(rarest.next(2, Array(19).fill(4))).toBe(3);
  expect(rarest.next(3, [])).toBeUndefined();
});

/** Large scopes are searched through an index of pgvector, and a filter never makes it give too few. */

import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres } from '../../../src/drivers/postgres/index.ts';
import type { RecordFilter } from '../../../src/ports/record-store.ts';
import type { Storage } from '../../../src/ports/storage.ts';
import { seededRandom } from '../../../src/testing/index.ts';
import { type Schemas, schemasForTests } from './schemas.ts';

const COUNT = 800;
const DIMENSIONS = 24;
const MODEL = 'test:nearest@1';
const AT = 1_767_225_600_000;
const ADMIN = { role: 'admin' } as const;

let schemas: Schemas;
let url: string;
/** Looks at all vectors of any scope that it is asked for. */
let exact: Storage;
/** Uses the index wherever there is one. */
let indexed: Storage;
const random = seededRandom(42);
const vector = (): Float32Array => Float32Array.from({ length: DIMENSIONS }, () => random.next() - 0.5);

/** So few vectors would be sorted more quickly than asked for; of many, Postgres knows that by itself. */
const indexing = () => ({ url: `${url}&options=-c%20enable_sort%3Doff`, exactUpTo: 100 });

beforeAll(async () => {
  schemas = await schemasForTests();
  url = schemas.take();
  exact = await openPostgres({ url });
  indexed = await openPostgres(indexing());
  const drafts = Array.from({ length: COUNT }, (_, i) => ({
    ...({
      id: `mem_${i}`,
      agent: i % 40 === 0 ? 'rare' : 'common',
      scope: 'agent',
      source: 'manual',
    } as const),
    ...{
      category: i % 100 === 0 ? 'wanted' : 'fact',
      confidence: 1,
      content: `fact ${i}`,
      tags: i % 4 === 0 ? ['quarter'] : [],
      metadata: {},
    },
    ...({
      origin: 'user',
      pinned: false,
      thread: null,
      user: null,
      validFrom: null,
      expiresAt: null,
    } as const),
    embedding: { model: MODEL, vector: vector() },
  }));
  const context = { at: AT, viewer: ADMIN, via: 'sdk' } as const;
  await Promise.all(drafts.map((draft) => exact.records.add(draft, { maxFacts: 1e6 }, context)));
});
afterAll(async () => {
  await exact.close();
  await indexed.close();
  await schemas.stop();
});

async function found(storage: Storage, query: Float32Array, filter: RecordFilter, limit: number) {
  const embedding = { model: MODEL, vector: query };
  const hits = await storage.records.vectors.search({ viewer: ADMIN, now: AT, filter, embedding, limit });
  return hits.map(({ record, similarity }) => ({ id: record.id, similarity }));
}

/** How often the index was used; undefined as long as there is none. */
async function timesUsed(): Promise<number | undefined> {
  const connection = new pg.Client(url);
  await connection.connect();
  const { rows } = await connection.query(
    `SELECT s.idx_scan::int AS times FROM pg_stat_all_indexes s JOIN pg_index i ON i.indexrelid = s.indexrelid
     WHERE s.schemaname = $1 AND i.indisvalid AND s.indexrelname LIKE 'record_vectors_nearest_%'`,
    [new URL(url).searchParams.get('schema')],
  );
  await connection.end();
  return rows[0]?.times;
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20));
}

it('finds the same before there is an index, and makes one by itself', async () => {
  const query = vector();
  expect(await found(indexed, query, {}, 20)).toEqual(await found(exact, query, {}, 20));
  await until(async () => (await timesUsed()) !== undefined);
});

it('finds with the index what is found without it, best first', async () => {
  const counted = await openPostgres(indexing());
  let agreed = 0;
  for (let i = 0; i < 10; i++) {
    const query = vector();
    const [expected, seen] = [await found(exact, query, {}, 20), await found(counted, query, {}, 20)];
    expect(seen.length).toBe(20);
    expect(seen.map(({ similarity }) => similarity)).toEqual(
      seen.map(({ similarity }) => similarity).toSorted((a, b) => b - a),
    );
    const ids = new Set(seen.map(({ id }) => id));
    agreed += expected.filter(({ id }) => ids.has(id)).length;
  }
  expect(agreed).toBeGreaterThan(190);
  // The server counts what a connection did when it ends.
  await counted.close();
  await until(async () => (await timesUsed())! >= 10);
});

it('a filter gets as many as match, up to the limit, and never fewer', async () => {
  for (const [filter, matches] of [
    [{ categories: ['wanted'] }, 8],
    [{ agent: 'rare' }, 20],
    [{ categories: ['none'] }, 0],
    [{ agent: 'rare', categories: ['wanted'] }, 4],
    // More than are compared one by one: the index is asked, and must not give up.
    [{ tags: ['quarter'] }, 200],
  ] as const) {
    for (const limit of [1, 10, 30, 150]) {
      const seen = await found(indexed, vector(), filter, limit);
      expect([filter, limit, seen.length]).toEqual([filter, limit, Math.min(limit, matches)]);
    }
  }
});

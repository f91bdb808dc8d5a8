/** What the tests of vectors share: stores on one file, vectors with topics, searches to compare. */
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { openSqlite, type SqliteOptions } from '../../../../src/drivers/sqlite/index.ts';
import type { Embedding, VectorQuery } from '../../../../src/ports/record-store.ts';
import type { Storage } from '../../../../src/ports/storage.ts';
import { ADMIN, addRecord, START } from '../../../../src/testing/conformance/drafts.ts';
import type { SeededRandom } from '../../../../src/testing/index.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';

export const MODEL = 'test:model@1';
export const SEARCHES = ['wasm', 'plain', 'sqlite-vec'] as const;

export const newFile = (): string => join(temporaryFolder(), 'k.db');

/** Closed after the test. */
export async function open(
  file: string,
  vectorSearch: SqliteOptions['vectorSearch'] = 'wasm',
): Promise<Storage> {
  const storage = await openSqlite({ file, vectorSearch });
  onTestFinished(() => storage.close());
  return storage;
}

/** Around few topics, from equal to hardly related: where rounding and ties can go wrong. */
export function topicVectors(random: SeededRandom, dimensions: number): () => Float32Array {
  const noise = () => random.next() * 2 - 1;
  const topics = Array.from({ length: 4 }, () => Float32Array.from({ length: dimensions }, noise));
  return () => {
    const topic = random.pick(topics);
    const spread = random.pick([0, 1e-4, 0.01, 0.3, 3]);
    return random.below(40) === 0
      ? new Float32Array(dimensions)
      : topic.map((value) => value + spread * noise());
  };
}

export async function results(
  { records }: Storage,
  embedding: Embedding,
  query: Partial<VectorQuery> = {},
): Promise<(readonly [id: string, similarity: number])[]> {
  const candidates = await records.vectors.search({
    viewer: ADMIN,
    now: START,
    filter: {},
    limit: 10,
    embedding,
    ...query,
  });
  return candidates.map(({ record, similarity }) => [record.id, similarity] as const);
}

export async function addMany(
  { records }: Storage,
  count: number,
  vector: () => Float32Array,
  fields: Parameters<typeof addRecord>[1] = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let done = 0; done < count; done += 500) {
    const batch = Array.from({ length: Math.min(500, count - done) }, () =>
      addRecord(records, { ...fields, embedding: { model: MODEL, vector: vector() } }),
    );
    ids.push(...(await Promise.all(batch)).map(({ id }) => id));
  }
  return ids;
}

/** Looks with a connection of its own. */
export function look<T>(file: string, sql: string, ...values: unknown[]): T[] {
  const database = new SqliteDatabase(file, { readonly: true });
  try {
    return database
      .prepare(sql)
      .pluck()
      .all(...values) as T[];
  } finally {
    database.close();
  }
}

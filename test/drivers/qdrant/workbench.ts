/** SQLite and Qdrant together, as the tests of this folder use them, and what is looked at from outside. */
import { join } from 'node:path';
import { QdrantClient } from '@qdrant/js-client-rest';
import { onTestFinished } from 'vitest';
import { type QdrantOptions, withQdrant } from '../../../src/drivers/qdrant/index.ts';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import type { Embedding, VectorQuery } from '../../../src/ports/record-store.ts';
import type { Storage } from '../../../src/ports/storage.ts';
import { ADMIN, START } from '../../../src/testing/conformance/drafts.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

export const MODEL = 'test:plane@1';
/** Collections of different test files on one server stay apart. */
export const PREFIX = `keepsake-test-${process.pid}`;

/** A direction in the plane: 0 degrees is what most tests ask for. */
export function at(degrees: number): Embedding {
  const angle = (degrees * Math.PI) / 180;
  return { model: MODEL, vector: Float32Array.of(Math.cos(angle), Math.sin(angle)) };
}

export function databaseFile(): string {
  return join(temporaryFolder(), 'keepsake.db');
}

export async function openIndexed(file: string, options: QdrantOptions): Promise<Storage> {
  const storage = withQdrant(await openSqlite({ file }), { prefix: PREFIX, ...options });
  onTestFinished(() => storage.close());
  return storage;
}

/** By the main engine alone. */
export async function openPlain(file: string): Promise<Storage> {
  const storage = await openSqlite({ file });
  onTestFinished(() => storage.close());
  return storage;
}

export async function near({ records }: Storage, query: Partial<VectorQuery> = {}): Promise<string[]> {
  const base = { viewer: ADMIN, now: START, filter: {}, embedding: at(0), limit: 1_000 };
  return (await records.vectors.search({ ...base, ...query })).map(({ record }) => record.id);
}

const LOOK_MS = 10;

/** Until it holds; a test that waits in vain fails by its own time limit. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

/** Until Qdrant has confirmed everything. */
export async function settled(storage: Storage): Promise<void> {
  await until(async () => {
    const { isUp, backlog } = await storage.indexStatus!();
    return isUp && backlog === 0;
  });
}

/** What Qdrant holds, as its own client reads it. */
export class Outside {
  readonly client: QdrantClient;

  constructor(url: string, apiKey?: string) {
    const headers = apiKey === undefined ? {} : { 'api-key': apiKey };
    this.client = new QdrantClient({ url, headers, checkCompatibility: false });
  }

  /** The collections of a workspace. */
  async collections(storage: Storage): Promise<string[]> {
    const identity = (await storage.feed!.position(0))?.identity;
    if (identity === undefined) return [];
    const { collections } = await this.client.getCollections();
    return collections.map(({ name }) => name).filter((name) => name.includes(identity));
  }

  async points(storage: Storage) {
    const points = [];
    for (const name of await this.collections(storage)) {
      const page = await this.client.scroll(name, { limit: 10_000, with_payload: true, with_vector: true });
      points.push(...page.points);
    }
    return points;
  }

  /** The records whose vectors are there. */
  async records(storage: Storage): Promise<string[]> {
    return (await this.points(storage)).map(({ payload }) => String(payload?.record)).sort();
  }

  async drop(prefix: string): Promise<void> {
    const { collections } = await this.client.getCollections();
    for (const { name } of collections) if (name.startsWith(prefix)) await this.client.deleteCollection(name);
  }
}

/** Engines of their own for a benchmark: what to write into the configuration, and how to take them away again. */
import type { ConfigInput } from '../../src/index.ts';
import { postgresServer } from '../../test/drivers/postgres/server.ts';
import { qdrantServer } from '../../test/drivers/qdrant/server.ts';

export interface BenchEngine {
  readonly name: string;
  readonly storage: NonNullable<ConfigInput['storage']>;
  /** Address of the Postgres, if there is one. */
  readonly postgres?: string;
  stop(): Promise<void>;
}

/** With the memory that a small server gets, and writes that reach the disk. */
const SETTINGS = ['shared_buffers=256MB', 'maintenance_work_mem=256MB', 'autovacuum=on'];

export async function sqliteEngine(): Promise<BenchEngine> {
  return { name: 'SQLite', storage: { driver: 'sqlite' }, stop: async () => {} };
}

export async function postgresEngine(): Promise<BenchEngine> {
  const server = await postgresServer({ durable: true, settings: SETTINGS });
  const url = server.url();
  return { name: 'Postgres', storage: { driver: 'postgres', url }, postgres: url, stop: () => server.stop() };
}

export async function qdrantEngine(): Promise<BenchEngine> {
  const server = await qdrantServer();
  return {
    name: 'SQLite + Qdrant',
    storage: { vectors: { driver: 'qdrant', url: server.url } },
    stop: () => server.stop(),
  };
}

export async function postgresAndQdrantEngine(): Promise<BenchEngine> {
  const [postgres, qdrant] = [await postgresEngine(), await qdrantServer()];
  return {
    ...postgres,
    name: 'Postgres + Qdrant',
    storage: { ...postgres.storage, vectors: { driver: 'qdrant', url: qdrant.url } },
    stop: async () => {
      await postgres.stop();
      await qdrant.stop();
    },
  };
}

/** Schemas for tests: made once, emptied after each test and used again, because making one takes longer than most tests. */
import pg from 'pg';
import { postgresForTests } from './server.ts';

/** Whoever points to a row of another table comes before it. */
const TABLES = [
  ...['vector_feed', 'vector_changes'],
  ...['record_keys', 'record_versions', 'record_words', 'record_terms', 'record_vectors', 'embedding_queue'],
  ...[
    'vectors_aside',
    'embedding_models',
    'records',
    'agent_users',
    'agents',
    'events',
    'message_words',
    'message_terms',
    'messages',
    'threads',
  ],
  ...['journals', 'quarantine', 'states', 'state_changes', 'runs', 'run_messages', 'leases', 'items'],
];

export interface Schemas {
  /** The address of an empty schema. */
  take(): string;
  /** Empties it, for the next one. */
  giveBack(url: string): Promise<void>;
  /** Removes all of them. */
  stop(): Promise<void>;
}

const schemaOf = (url: string): string => new URL(url).searchParams.get('schema')!;

export async function schemasForTests(): Promise<Schemas> {
  const server = await postgresForTests();
  const made: string[] = [];
  const free: string[] = [];
  const connection = new pg.Client(server.url());
  await connection.connect();
  return {
    take: () => {
      const url = free.pop() ?? server.url();
      if (!made.includes(url)) made.push(url);
      return url;
    },
    giveBack: async (url) => {
      const schema = schemaOf(url);
      const empty = TABLES.map((table) => `DELETE FROM ${schema}.${table}`).join('; ');
      await connection.query(`${empty}; UPDATE ${schema}.lanes SET counters = '{}'`);
      free.push(url);
    },
    stop: async () => {
      for (const url of made) await connection.query(`DROP SCHEMA IF EXISTS ${schemaOf(url)} CASCADE`);
      await connection.end();
    },
  };
}

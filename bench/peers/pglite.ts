/** Postgres in WebAssembly with pgvector: words and vectors in one table, both ways fused by hand. One process at a time. */
import { join } from 'node:path';
import { fuseRanks } from './fuse-ranks.ts';
import type { Peer } from './peer.ts';

interface Database {
  exec(sql: string): Promise<unknown>;
  query(
    sql: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: readonly { readonly text: string }[] }>;
  close(): Promise<void>;
}

const CANDIDATES = 40;
const WORDS = /[\p{L}\p{N}]+/gu;

export const pglite: Peer = {
  name: 'PGlite + pgvector',
  packages: ['@electric-sql/pglite@0.5.14', '@electric-sql/pglite-pgvector@0.0.15'],
  isDurable: true,
  async open(folder, embed, packages) {
    const { PGlite } = (await packages.load('@electric-sql/pglite')) as {
      PGlite: { create(path: string, options: object): Promise<Database> };
    };
    const { vector } = (await packages.load('@electric-sql/pglite-pgvector')) as { vector: unknown };
    const database = await PGlite.create(join(folder, 'postgres'), { extensions: { vector } });
    await database.exec(`CREATE EXTENSION IF NOT EXISTS vector;
      CREATE TABLE IF NOT EXISTS memories (id serial PRIMARY KEY, text text NOT NULL, vector vector(${embed('one').length}),
        words tsvector GENERATED ALWAYS AS (to_tsvector('english', text)) STORED);
      CREATE INDEX IF NOT EXISTS by_words ON memories USING gin (words);
      CREATE INDEX IF NOT EXISTS by_meaning ON memories USING hnsw (vector vector_cosine_ops)`);
    const texts = async (sql: string, values: readonly unknown[] = []) =>
      (await database.query(sql, values)).rows.map(({ text }) => text);
    const asSql = (text: string) => JSON.stringify(embed(text));
    return {
      add: async (text) =>
        void (await database.query('INSERT INTO memories (text, vector) VALUES ($1, $2)', [
          text,
          asSql(text),
        ])),
      search: async (query, limit) => {
        const words = (query.match(WORDS) ?? []).join(' | ');
        const byWords = await texts(
          `SELECT text FROM memories, to_tsquery('english', $1) asked WHERE words @@ asked ORDER BY ts_rank(words, asked) DESC LIMIT ${CANDIDATES}`,
          [words],
        );
        const byMeaning = await texts(
          `SELECT text FROM memories ORDER BY vector <=> $1 LIMIT ${CANDIDATES}`,
          [asSql(query)],
        );
        return fuseRanks([byWords, byMeaning], limit);
      },
      all: () => texts('SELECT text FROM memories'),
      close: () => database.close(),
    };
  },
};

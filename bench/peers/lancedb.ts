/** LanceDB on disk: one table with a full-text index and vectors, searched both ways and fused by its own reranker. */
import { join } from 'node:path';
import type { Peer } from './peer.ts';

interface Query {
  fullTextSearch(query: string, options?: object): Query;
  rerank(reranker: unknown): Query;
  select(columns: readonly string[]): Query;
  limit(count: number): Query;
  toArray(): Promise<readonly { readonly text: string }[]>;
}

interface Table {
  add(rows: readonly object[]): Promise<unknown>;
  createIndex(column: string, options: object): Promise<unknown>;
  optimize(): Promise<unknown>;
  vectorSearch(vector: readonly number[]): Query;
  query(): Query;
}

interface Lance {
  connect(folder: string): Promise<{
    tableNames(): Promise<readonly string[]>;
    openTable(name: string): Promise<Table>;
    createTable(name: string, rows: readonly object[], options: object): Promise<Table>;
  }>;
  readonly Index: { fts(): unknown };
  readonly rerankers: { readonly RRFReranker: { create(): Promise<unknown> } };
}

const TABLE = 'memories';
/** A table needs a row before it has columns. */
const FIRST = 'first row';

export const lancedb: Peer = {
  name: 'LanceDB',
  packages: ['@lancedb/lancedb@0.39.0', 'apache-arrow@18.1.0'],
  isDurable: true,
  async open(folder, embed, packages) {
    const lance = (await packages.load('@lancedb/lancedb')) as Lance;
    const connection = await lance.connect(join(folder, 'lance'));
    const row = (text: string) => ({ text, vector: embed(text) });
    const table = (await connection.tableNames()).includes(TABLE)
      ? await connection.openTable(TABLE)
      : await connection.createTable(TABLE, [row(FIRST)], { existOk: true });
    const reranker = await lance.rerankers.RRFReranker.create();
    let isIndexed = false;
    return {
      add: async (text) => void (await table.add([row(text)])),
      search: async (query, limit) => {
        // Built once, by the first search: an index for each add would make adds slower still.
        if (!isIndexed) {
          await table.optimize();
          await table.createIndex('text', { config: lance.Index.fts() });
          isIndexed = true;
        }
        const found = table.vectorSearch(embed(query)).fullTextSearch(query, { columns: ['text'] });
        return (await found.rerank(reranker).limit(limit).toArray()).map(({ text }) => text);
      },
      all: async () =>
        (await table.query().select(['text']).limit(1_000_000).toArray()).map(({ text }) => text),
      close: async () => {},
    };
  },
};

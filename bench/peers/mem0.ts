/** mem0's own library with its SQLite store; `infer: false`, because no language model takes part here. */
import { join } from 'node:path';
import type { Constructor, Peer } from './peer.ts';

interface Memory {
  add(messages: readonly object[], options: object): Promise<unknown>;
  search(query: string, options: object): Promise<{ readonly results: readonly { memory: string }[] }>;
  getAll(options: object): Promise<{ readonly results: readonly { memory: string }[] }>;
}

const USER = { filters: { user_id: 'bench' } };

export const mem0: Peer = {
  name: 'mem0 (SQLite)',
  packages: [
    'mem0ai@3.3.1',
    'better-sqlite3@13.0.3',
    '@langchain/core@1.2.13',
    'natural@8.1.1',
    'compromise@14.17.0',
  ],
  isDurable: true,
  async open(folder, embed, packages) {
    process.env.MEM0_TELEMETRY = 'false';
    const { Memory } = (await packages.load('mem0ai/oss')) as { Memory: Constructor<Memory> };
    const model = {
      embedQuery: async (text: string) => embed(text),
      embedDocuments: async (texts: string[]) => texts.map(embed),
    };
    const dimension = embed('one').length;
    const memory = new Memory({
      embedder: { provider: 'langchain', config: { model, embeddingDims: dimension } },
      vectorStore: {
        provider: 'memory',
        config: { collectionName: 'bench', dimension, dbPath: join(folder, 'vectors.db') },
      },
      llm: { provider: 'openai', config: { apiKey: 'none' } },
      historyDbPath: join(folder, 'history.db'),
    });
    const texts = ({ results }: { readonly results: readonly { memory: string }[] }) =>
      results.map((result) => result.memory);
    return {
      add: async (content) =>
        void (await memory.add([{ role: 'user', content }], { userId: 'bench', infer: false })),
      search: async (query, limit) => texts(await memory.search(query, { ...USER, topK: limit })),
      all: async () => texts(await memory.getAll({ ...USER, topK: 1_000_000 })),
      close: async () => {},
    };
  },
};

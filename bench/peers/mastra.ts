/** Mastra's memory on libSQL, one message a text, recalled by meaning over all threads. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Constructor, Peer } from './peer.ts';

interface Message {
  readonly content: { readonly parts: readonly { readonly text?: string }[] };
}

interface Memory {
  createThread(options: object): Promise<unknown>;
  saveMessages(options: object): Promise<unknown>;
  recall(options: object): Promise<{ readonly messages: readonly Message[] }>;
}

const THREAD = { threadId: 'thread', resourceId: 'bench' };

const texts = ({ messages }: { readonly messages: readonly Message[] }): string[] =>
  messages.map(({ content }) => content.parts.map((part) => part.text ?? '').join(''));

export const mastra: Peer = {
  name: 'Mastra memory (libSQL)',
  packages: ['@mastra/memory@1.31.0', '@mastra/core@1.71.0', '@mastra/libsql@1.23.1'],
  isDurable: true,
  async open(folder, embed, packages) {
    const { Memory } = (await packages.load('@mastra/memory')) as { Memory: Constructor<Memory> };
    const { LibSQLStore, LibSQLVector } = (await packages.load('@mastra/libsql')) as Record<
      'LibSQLStore' | 'LibSQLVector',
      Constructor<object>
    >;
    const url = `file:${join(folder, 'mastra.db')}`;
    const embedder = {
      specificationVersion: 'v2',
      provider: 'bench',
      modelId: 'bench',
      maxEmbeddingsPerCall: 100,
      supportsParallelCalls: true,
      doEmbed: async ({ values }: { values: string[] }) => ({ embeddings: values.map(embed), warnings: [] }),
    };
    const memory = new Memory({
      storage: new LibSQLStore({ id: 'store', url }),
      vector: new LibSQLVector({ id: 'vectors', url }),
      embedder,
      options: { lastMessages: false, semanticRecall: { topK: 10, messageRange: 0, scope: 'resource' } },
    });
    await memory.createThread(THREAD);
    return {
      add: async (text) => {
        const content = { format: 2, parts: [{ type: 'text', text }] };
        const message = { ...THREAD, id: randomUUID(), role: 'user', createdAt: new Date(), content };
        await memory.saveMessages({ messages: [message] });
      },
      search: async (query) =>
        texts(await memory.recall({ ...THREAD, vectorSearchString: query, perPage: 0 })),
      all: async () => texts(await memory.recall({ ...THREAD, perPage: false })),
      close: async () => {},
    };
  },
};

/** LangGraph's store with an index of vectors. It lives in the process: the one peer here that promises nothing on disk. */
import { randomUUID } from 'node:crypto';
import type { Constructor, Peer } from './peer.ts';

interface Item {
  readonly value: { readonly text: string };
}

interface Store {
  put(namespace: readonly string[], key: string, value: object): Promise<void>;
  search(namespace: readonly string[], options: object): Promise<readonly Item[]>;
}

const NAMESPACE = ['bench'];

export const langgraph: Peer = {
  name: 'LangGraph InMemoryStore',
  // The newest versions whose dependencies are all in the registry.
  packages: ['@langchain/langgraph@1.4.0', '@langchain/langgraph-sdk@1.9.31', '@langchain/core@1.2.13'],
  isDurable: false,
  async open(_folder, embed, packages) {
    const { InMemoryStore } = (await packages.load('@langchain/langgraph')) as {
      InMemoryStore: Constructor<Store>;
    };
    const embeddings = {
      embedQuery: async (text: string) => embed(text),
      embedDocuments: async (texts: string[]) => texts.map(embed),
    };
    const store = new InMemoryStore({ index: { dims: embed('one').length, embeddings, fields: ['text'] } });
    const texts = (items: readonly Item[]) => items.map(({ value }) => value.text);
    return {
      add: (text) => store.put(NAMESPACE, randomUUID(), { text }),
      search: async (query, limit) => texts(await store.search(NAMESPACE, { query, limit })),
      all: async () => texts(await store.search(NAMESPACE, { limit: 1_000_000 })),
      close: async () => {},
    };
  },
};

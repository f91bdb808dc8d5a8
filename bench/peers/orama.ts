/** Orama in memory, with its hybrid search. It lives in the process and promises nothing on disk. */
import type { Peer } from './peer.ts';

interface Orama {
  create(options: object): unknown;
  insert(database: unknown, document: object): unknown;
  search(database: unknown, query: object): Promise<Found> | Found;
}

interface Found {
  readonly hits: readonly { readonly document: { readonly text: string } }[];
}

export const orama: Peer = {
  name: 'Orama',
  packages: ['@orama/orama@3.1.18'],
  isDurable: false,
  async open(_folder, embed, packages) {
    const { create, insert, search } = (await packages.load('@orama/orama')) as Orama;
    const database = create({ schema: { text: 'string', vector: `vector[${embed('one').length}]` } });
    const texts = ({ hits }: Found) => hits.map(({ document }) => document.text);
    return {
      add: async (text) => void (await insert(database, { text, vector: embed(text) })),
      search: async (term, limit) => {
        const vector = { value: embed(term), property: 'vector' };
        return texts(await search(database, { mode: 'hybrid', term, vector, similarity: 0.1, limit }));
      },
      all: async () => texts(await search(database, { term: '', limit: 1_000_000 })),
      close: async () => {},
    };
  },
};

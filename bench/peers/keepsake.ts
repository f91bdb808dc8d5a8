/** Keepsake itself, by its public API and with its defaults, but for the cap, and for what it would leave out: the others always return ten. */
import { createClient } from '../../src/index.ts';
import type { Peer } from './peer.ts';

const MOST = 1_000_000;

export const keepsake: Peer = {
  name: 'keepsake',
  packages: [],
  isDurable: true,
  async open(folder) {
    const client = createClient({ workspace: folder, config: { memory: { maxEntries: MOST } } });
    const { memory } = client.agent({ name: 'bench' });
    return {
      add: async (content) => void (await memory.add({ content })),
      search: async (query, limit) =>
        (await memory.search(query, { limit, all: true })).map(({ content }) => content),
      all: async () => (await memory.list({ limit: 1_000 })).map(({ content }) => content),
      close: () => client.close(),
    };
  },
};

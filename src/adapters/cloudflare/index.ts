/** Keepsake for Agents of Cloudflare: a context block that the model searches and writes, on a Keepsake server. */
import { checkOptions, OWNER_OPTIONS, TROUBLE_OPTIONS } from '../common/check-options.ts';
import { memoryOf } from '../common/memory-of.ts';
import type { AdapterOptions } from '../common/options.ts';
import { Trouble } from '../common/trouble.ts';

const MOST_FOUND = 10;

/** The `SearchProvider` of Cloudflare's Agents. */
export interface KeepsakeSearchProvider {
  get(): Promise<string | null>;
  search(query: string): Promise<string | null>;
  set(key: string, content: string): Promise<void>;
}

/**
 * For `new ContextBlocks([{ label: 'memory', provider: keepsakeContext({ url, apiKey, user }) }])`. What is set under a key
 * replaces what was set under it before.
 */
export function keepsakeContext(options: AdapterOptions = {}): KeepsakeSearchProvider {
  checkOptions('keepsakeContext', options, { ...OWNER_OPTIONS, thread: true, ...TROUBLE_OPTIONS });
  const { memory } = memoryOf(options);
  const trouble = new Trouble('keepsake/cloudflare', options);
  return {
    get: async () => {
      const standing = await trouble.read(() => memory.list({ limit: MOST_FOUND }));
      if (standing === undefined || standing.length === 0) return null;
      return standing.map(({ content }) => `- ${content}`).join('\n');
    },
    search: async (query) => {
      const hits = await trouble.read(() => memory.search(query, { limit: MOST_FOUND }));
      if (hits === undefined || hits.length === 0) return null;
      return hits.map(({ content }) => `- ${content}`).join('\n');
    },
    set: async (key, content) => {
      await trouble.write(async () => {
        const [known] = await memory.list({ tags: [`key:${key}`], limit: 1 });
        if (known === undefined) await memory.add({ content, tags: [`key:${key}`], origin: 'agent' });
        else await memory.update(known.id, { content, origin: 'agent' });
      });
    },
  };
}

/** Keepsake for Strands Agents: `new MemoryManager({ stores: [keepsakeStore({ user })] })`. */
import type { JsonObject } from '../../kernel/json.ts';
import { checkOptions, OWNER_OPTIONS, TROUBLE_OPTIONS } from '../common/check-options.ts';
import { memoryOf } from '../common/memory-of.ts';
import type { TroubleOptions, WhichStore, WhoseMemory } from '../common/options.ts';
import { Trouble } from '../common/trouble.ts';

export interface KeepsakeStoreOptions extends Omit<WhoseMemory, 'thread'>, WhichStore, TroubleOptions {
  /** The name of the store in an agent. Default: "keepsake". */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** False: the agent only searches. Default: true. */
  readonly writable?: boolean | undefined;
  /** How many memories a search returns. Default: 10. */
  readonly maxSearchResults?: number | undefined;
}

interface StrandsEntry {
  content: string;
  metadata: JsonObject;
}

/** The `MemoryStore` of Strands, as far as Keepsake implements it. */
export interface KeepsakeStrandsStore {
  readonly name: string;
  readonly description: string;
  readonly writable: boolean;
  readonly maxSearchResults: number;
  search(query: string, options?: { maxSearchResults?: number }): Promise<StrandsEntry[]>;
  add(content: string, metadata?: JsonObject): Promise<string>;
}

export function keepsakeStore(options: KeepsakeStoreOptions = {}): KeepsakeStrandsStore {
  const own = { name: true, description: true, writable: true, maxSearchResults: true } as const;
  checkOptions('keepsakeStore', options, { ...OWNER_OPTIONS, ...TROUBLE_OPTIONS, ...own });
  const {
    name = 'keepsake',
    description = 'Long-term memory: facts, preferences and what was learned in earlier conversations.',
    writable = true,
    maxSearchResults = 10,
    ...whose
  } = options;
  const { memory } = memoryOf(whose);
  const trouble = new Trouble('keepsake/strands', options);
  return {
    ...{ name, description, writable, maxSearchResults },
    search: async (query, { maxSearchResults: limit = maxSearchResults } = {}) => {
      const hits = await trouble.read(() => memory.search(query, { limit }));
      return (hits ?? []).map(({ id, content, relevance, category, metadata }) => ({
        content,
        metadata: { ...metadata, id, category, relevance },
      }));
    },
    // The same text again is the same memory, so that a batch may be repeated. A failure is reported by the manager.
    add: async (content, metadata = {}) => (await memory.add({ content, metadata, origin: 'agent' })).id,
  };
}

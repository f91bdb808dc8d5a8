/** The `Memory` class of mem0 on Keepsake: the same calls and answers, in this process, without a key or a network. */
import { createHash } from 'node:crypto';
import { type AgentMemory, type Client, createClient } from '../../client/index.ts';
import { defined } from '../../kernel/defined.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { MemoryRecord } from '../../kernel/record.ts';
import { checkOptions, STORE_OPTIONS } from '../common/check-options.ts';
import { clientOf } from '../common/memory-of.ts';
import type { WhichStore } from '../common/options.ts';
import { historyOf } from './history.ts';
import { entityOf, isMeant, type Scope, scopeOf } from './scope.ts';
import type * as mem0 from './types.ts';

/** Marks what came through this class, so that `reset` erases nothing else. */
const TAG = 'mem0';
const DEFAULT_AGENT = 'assistant';
const TOP = 20;
const PAGE = 1_000;
const MOST_HITS = 100;
/** mem0 has no limit; Keepsake keeps 200 facts of an agent unless told otherwise. */
const MOST_ENTRIES = 1_000_000;

/** Settings of mem0 (embedder, llm, vectorStore, …) are accepted and not used: models come from keepsake.jsonc. */
export interface MemoryConfig {
  readonly keepsake?: WhichStore;
  readonly [setting: string]: unknown;
}

export class Memory {
  readonly #client: Client;
  readonly #ownsClient: boolean;

  constructor({ keepsake = {} }: MemoryConfig = {}) {
    checkOptions('Memory', keepsake, STORE_OPTIONS);
    const { client, url, workspace } = keepsake;
    this.#ownsClient = client === undefined && url === undefined;
    this.#client = this.#ownsClient
      ? createClient({ ...defined({ workspace }), config: { memory: { maxEntries: MOST_ENTRIES } } })
      : clientOf(keepsake);
  }

  static fromConfig(config: MemoryConfig = {}): Memory {
    return new Memory(config);
  }

  /** Stores what the user said, a memory per message; with `infer: false` also what others said. */
  async add(
    messages: string | readonly mem0.Message[],
    options: mem0.AddMemoryOptions,
  ): Promise<mem0.SearchResult> {
    const scope = scopeOf(options, 'add');
    const { infer = true, metadata = {}, expirationDate } = options;
    const results: mem0.MemoryItem[] = [];
    for (const content of textsOf(messages, infer)) {
      const record = await this.#memoryOf(scope).add({
        content,
        tags: [TAG],
        metadata: metadata as JsonObject,
        ...defined({ thread: scope.thread, expiresAt: expirationDate ?? undefined }),
      });
      const item = itemOf(record);
      results.push({ ...item, metadata: { ...item.metadata, event: 'ADD' } });
    }
    return { results };
  }

  async search(query: string, options: mem0.SearchMemoryOptions): Promise<mem0.SearchResult> {
    const scope = scopeOf(options, 'search');
    const limit = options.topK ?? options.limit ?? TOP;
    const hits = await this.#memoryOf(scope).search(query, {
      limit: MOST_HITS,
      ...defined({ thread: scope.thread, minRelevance: options.threshold }),
    });
    const meant = hits.filter((hit) => isMeant(scope, hit)).slice(0, limit);
    return { results: meant.map((hit) => ({ ...itemOf(hit), score: hit.relevance })) };
  }

  async getAll(options: mem0.GetAllMemoryOptions): Promise<mem0.SearchResult> {
    const limit = options.topK ?? options.limit ?? TOP;
    const records = await this.#all(scopeOf(options, 'getAll'), options.showExpired === true);
    return { results: records.slice(0, limit).map(itemOf) };
  }

  /** Null when there is no such memory. */
  async get(memoryId: string): Promise<mem0.MemoryItem | null> {
    try {
      const record = await this.#client.memory.get(memoryId);
      return record.state === 'forgotten' ? null : itemOf(record);
    } catch (error) {
      if (KeepsakeError.is(error) && ['NOT_FOUND', 'FORGOTTEN'].includes(error.code)) return null;
      throw error;
    }
  }

  async update(memoryId: string, change: string | mem0.UpdateMemoryOptions): Promise<{ message: string }> {
    const { text, data, metadata, expirationDate } = typeof change === 'string' ? { text: change } : change;
    const merged =
      metadata === undefined
        ? undefined
        : { ...(await this.#client.memory.get(memoryId)).metadata, ...(metadata as JsonObject) };
    await this.#client.memory.update(
      memoryId,
      defined({ content: text ?? data, metadata: merged, expiresAt: expirationDate }),
    );
    return { message: 'Memory updated successfully!' };
  }

  async delete(memoryId: string): Promise<{ message: string }> {
    await this.#client.memory.forget(memoryId);
    return { message: 'Memory deleted successfully!' };
  }

  async deleteAll(options: mem0.Entity): Promise<{ message: string }> {
    for (const { id } of await this.#all(scopeOf(options, 'deleteAll'), true))
      await this.#client.memory.forget(id);
    return { message: 'Memories deleted successfully!' };
  }

  /** Every version of a memory, oldest first. */
  async history(memoryId: string): Promise<mem0.HistoryEntry[]> {
    return historyOf(await this.#client.memory.history(memoryId));
  }

  /** Erases what came through this class, of all users; what other programs stored stays. */
  async reset(): Promise<void> {
    const pages = everyPage((after) =>
      this.#client.memory.list({ limit: PAGE, state: 'any', tags: [TAG], ...defined({ after }) }),
    );
    for (const { id, state } of await pages) if (state !== 'forgotten') await this.#client.memory.forget(id);
  }

  /** Not part of mem0: closes the workspace. A client of yours stays open. */
  async close(): Promise<void> {
    if (this.#ownsClient) await this.#client.close();
  }

  #all(scope: Scope, expired: boolean): Promise<MemoryRecord[]> {
    const memory = this.#memoryOf(scope);
    const filters = defined({ thread: scope.thread, state: expired ? ('any' as const) : undefined });
    return everyPage((after) => memory.list({ limit: PAGE, ...filters, ...defined({ after }) })).then(
      (records) => records.filter((record) => record.state !== 'forgotten' && isMeant(scope, record)),
    );
  }

  /** A person alone is known to every agent; with an agent, only to that one. */
  #memoryOf({ user, agent }: Scope): Pick<AgentMemory, 'add' | 'search' | 'list'> {
    if (agent === undefined && user !== undefined) return this.#client.user(user).memory;
    return this.#client.agent({ name: agent ?? DEFAULT_AGENT, ...defined({ user }) }).memory;
  }
}

async function everyPage(
  read: (after: string | undefined) => Promise<readonly MemoryRecord[]>,
): Promise<MemoryRecord[]> {
  const records: MemoryRecord[] = [];
  for (;;) {
    const page = await read(records.at(-1)?.id);
    records.push(...page);
    if (page.length < PAGE) return records;
  }
}

function textsOf(messages: string | readonly mem0.Message[], infer: boolean): string[] {
  if (typeof messages === 'string') return [messages];
  return messages
    .filter(({ role }) => (infer ? role === 'user' : role !== 'system'))
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
    .filter((text) => text.trim() !== '');
}

function itemOf(record: MemoryRecord): mem0.MemoryItem {
  const { id, content, metadata, createdAt, updatedAt } = record;
  return {
    id,
    memory: content,
    hash: createHash('md5').update(content).digest('hex'),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    metadata: { ...metadata },
    ...entityOf(record),
  };
}

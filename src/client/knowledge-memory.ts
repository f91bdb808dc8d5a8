/** `agent.longTermMemory`: external knowledge behind the two verbs that a run loop needs. */
import type { JsonObject } from '../kernel/json.ts';
import type { LongTermHit, LongTermMemory } from '../knowledge/index.ts';
import { verbs } from '../verbs.ts';
import type { Call } from './call.ts';

export interface KnowledgeMemoryOptions {
  /** Folder of documents; indexed when it is first asked, and brought up to date with every new handle. */
  readonly docsFolder?: string;
}

/** External knowledge behind the two verbs that a run loop needs. */
export class KnowledgeMemory implements LongTermMemory {
  readonly #call: Call;
  readonly #docsFolder: string | undefined;
  #indexed: Promise<unknown> | undefined;

  constructor(call: Call, { docsFolder }: KnowledgeMemoryOptions = {}) {
    this.#call = call;
    this.#docsFolder = docsFolder;
  }

  async add(text: string, metadata: JsonObject = {}): Promise<string> {
    const { id } = await this.#call(verbs.knowledgeStore, { text, metadata });
    return id;
  }

  async query(text: string, options: { readonly limit?: number } = {}): Promise<readonly LongTermHit[]> {
    await this.#index();
    const { limit = 5 } = options;
    if (text.trim() === '') return [];
    const hits = await this.#call(verbs.knowledgeSearch, { query: text, limit });
    return hits.map(({ content, citation, relevance }) => ({ text: content, citation, relevance }));
  }

  #index(): Promise<unknown> {
    if (this.#docsFolder === undefined) return Promise.resolve();
    this.#indexed ??= this.#call(verbs.knowledgeAdd, { path: this.#docsFolder }).catch((error: unknown) => {
      // The folder may be there the next time.
      this.#indexed = undefined;
      throw error;
    });
    return this.#indexed;
  }
}

/** What an agent was given as its long-term memory: a database of the user's own, documents for ours, or null for none. */
export function longTermMemoryFor(
  call: Call,
  given: LongTermMemory | KnowledgeMemoryOptions | null | undefined,
): LongTermMemory | null {
  if (given === null) return null;
  if (given !== undefined && 'query' in given) return given;
  return new KnowledgeMemory(call, given);
}

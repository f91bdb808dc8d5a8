/** `agent.knowledge`: external documents of one agent; and the same as `agent.longTermMemory`, for its run loop. */
import { defined } from '../kernel/defined.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { CallOptions } from '../kernel/verb.ts';
import type {
  AddKnowledgeInput,
  IndexReport,
  KnowledgeHit,
  KnowledgeRoot,
  LongTermHit,
  LongTermMemory,
  RemovedKnowledge,
  SearchKnowledgeInput,
} from '../knowledge/index.ts';
import { verbs } from '../verbs.ts';
import type { Call } from './call.ts';

export class AgentKnowledge {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Indexes a folder or a file, or brings it up to date; what is gone from disk is erased from memory. */
  add(path: string, options: Omit<AddKnowledgeInput, 'path'> & CallOptions = {}): Promise<IndexReport> {
    const { signal, onProgress, ...input } = options;
    return this.#call(verbs.knowledgeAdd, { ...input, path }, callOptions(signal, onProgress));
  }

  /** Finds passages for a question in plain words, best first, each with its citation. */
  search(query: string, options: Omit<SearchKnowledgeInput, 'query'> = {}): Promise<readonly KnowledgeHit[]> {
    return this.#call(verbs.knowledgeSearch, { ...options, query });
  }

  /** Brings everything that was added up to date with the disk. */
  refresh({ signal, onProgress }: CallOptions = {}): Promise<IndexReport> {
    return this.#call(verbs.knowledgeRefresh, {}, callOptions(signal, onProgress));
  }

  /** Erases what memory holds of a file or of a folder; the files themselves stay. */
  remove(path: string): Promise<RemovedKnowledge> {
    return this.#call(verbs.knowledgeRemove, { path });
  }

  /** The folders and files that were added, with the number of their chunks. */
  list(): Promise<readonly KnowledgeRoot[]> {
    return this.#call(verbs.knowledgeList, {});
  }
}

function callOptions(signal: CallOptions['signal'], onProgress: CallOptions['onProgress']): CallOptions {
  return { ...defined({ signal, onProgress }) };
}

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

/** `agent.longTermMemory`: external knowledge behind the two verbs that a run loop needs. */
import type { JsonObject } from '../kernel/json.ts';
import { noticesOf, type WithNotices, withNotices } from '../kernel/notices.ts';
import type { LongTermHit, LongTermMemory } from '../knowledge/index.ts';
import { verbs } from '../verbs.ts';
import type { Call } from './call.ts';

const SHOWN = 3;
/** Pictures and the like are left out on purpose. */
const DOCUMENT = /\.(pdf|md|markdown|txt|html?)$/i;

export interface KnowledgeMemoryOptions {
  /** Folder of documents; indexed when it is first asked, and brought up to date with every new handle. */
  readonly docsFolder?: string;
}

/** External knowledge behind the two verbs that a run loop needs. */
export class KnowledgeMemory implements LongTermMemory {
  readonly #call: Call;
  readonly #docsFolder: string | undefined;
  /** Resolves to what was left out, in sentences. */
  #indexed: Promise<readonly string[]> | undefined;

  constructor(call: Call, { docsFolder }: KnowledgeMemoryOptions = {}) {
    this.#call = call;
    this.#docsFolder = docsFolder;
  }

  async add(text: string, metadata: JsonObject = {}): Promise<string> {
    const { id } = await this.#call(verbs.knowledgeStore, { text, metadata });
    return id;
  }

  /** `notices` of the answer name the documents that could not be indexed. */
  async query(
    text: string,
    options: { readonly limit?: number } = {},
  ): Promise<WithNotices<readonly LongTermHit[]>> {
    const notices = await this.#index();
    const { limit = 5 } = options;
    const hits = text.trim() === '' ? [] : await this.#call(verbs.knowledgeSearch, { query: text, limit });
    const found = hits.map(({ content, citation, relevance }) => ({ text: content, citation, relevance }));
    return withNotices(found, [...noticesOf(hits), ...notices]);
  }

  #index(): Promise<readonly string[]> {
    if (this.#docsFolder === undefined) return Promise.resolve([]);
    this.#indexed ??= this.#call(verbs.knowledgeAdd, { path: this.#docsFolder }).then(
      ({ skipped }) => warnOf(skipped),
      (error: unknown) => {
        // The folder may be there the next time.
        this.#indexed = undefined;
        throw error;
      },
    );
    return this.#indexed;
  }
}

/** Nobody reads the report of an index that is made in passing, so what is missing is a warning of the process too. */
function warnOf(skipped: readonly { readonly path: string; readonly reason: string }[]): readonly string[] {
  const documents = skipped.filter(({ path }) => DOCUMENT.test(path));
  const notices = documents.map(({ path, reason }) => `${path} is not indexed: ${reason}`);
  if (notices.length > 0) {
    const more = notices.length > SHOWN ? [`and ${notices.length - SHOWN} more`] : [];
    process.emitWarning([...notices.slice(0, SHOWN), ...more].join('\n'), {
      type: 'KeepsakeWarning',
      code: 'DOCUMENTS_SKIPPED',
    });
  }
  return notices;
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

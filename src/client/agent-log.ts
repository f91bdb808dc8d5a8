/** `agent.log`: everything that was said to and by one agent, as the SDK shows it, also over HTTP. */
import type {
  CompactInput,
  ConversationMessage,
  ImportResult,
  LogSearchInput,
  LogShowInput,
} from '../conversation/index.ts';
import { verbs } from '../verbs.ts';
import type { Call } from './call.ts';

export class AgentLog {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Adds a message to the log and to MEMORY.md; resolves once it is on disk. `assistant` is the agent itself. */
  add(role: string, content: string): Promise<ConversationMessage> {
    return this.#call(verbs.logAdd, { role, content });
  }

  /** The newest messages, or a page before or after one of them; oldest first. */
  show(options: LogShowInput = {}): Promise<readonly ConversationMessage[]> {
    return this.#call(verbs.logGet, options);
  }

  /** Messages by what they say, best first, in everything that was ever said. */
  search(
    query: string,
    options: Omit<LogSearchInput, 'query'> = {},
  ): Promise<readonly ConversationMessage[]> {
    return this.#call(verbs.logSearch, { ...options, query });
  }

  /** Puts a summary in the place of the conversation; what was said stays in the log and in an archive. */
  async compact(options: CompactInput = {}): Promise<{ readonly archive: string | null }> {
    const { archive } = await this.#call(verbs.conversationCompact, options);
    return { archive };
  }

  /** The whole conversation as a text that `import` reads. */
  async export(format: 'json' | 'jsonl' | 'yaml' | 'markdown' = 'json'): Promise<string> {
    return (await this.#call(verbs.logExport, { format })).text;
  }

  /** Adds the messages of an export, a MEMORY.md or a list of chat messages; those that are known are left out. */
  import(text: string): Promise<ImportResult> {
    return this.#call(verbs.logImport, { text });
  }
}

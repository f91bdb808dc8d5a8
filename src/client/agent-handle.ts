/** One agent, as the SDK shows it: what it knows, what it noted, what was said, and how that is kept within bounds. */
import type { SendOptions, Session } from '../agents/index.ts';
import type { Compression, ContextCompressor, Conversation } from '../conversation/index.ts';
import type { Role } from '../kernel/scope.ts';
import type { LongTermMemory } from '../knowledge/index.ts';
import { AgentKnowledge, type KnowledgeMemoryOptions, longTermMemoryFor } from './agent-knowledge.ts';
import { AgentMemory } from './agent-memory.ts';
import type { SessionKind } from './agent-run.ts';
import { AgentSections } from './agent-sections.ts';
import type { Call } from './call.ts';
import { checkCompressor } from './check-options.ts';
import { type ConversationSettings, compressorFor, ownSwitches } from './conversation-settings.ts';
import type { Engine } from './engine.ts';
import type { Identity, RunSettings } from './run-settings.ts';

export interface AgentOptions extends ConversationSettings, RunSettings {
  /** The agent's durable identity: the same name finds the same memory again. */
  readonly name: string;
  /** `lead` may also change what is shared with the swarm. */
  readonly role?: Exclude<Role, 'admin'>;
  /** Where external knowledge is looked up: a vector database of your own, a folder of documents, or null for nowhere. */
  readonly longTermMemory?: LongTermMemory | KnowledgeMemoryOptions | null;
}

export interface RunOptions extends SendOptions {
  /** It was started by a schedule: the same task again keeps one record of its results, not many. */
  readonly automatic?: boolean;
}

export class AgentHandle {
  readonly name: string;
  /** Long-term memory: facts, preferences, what was learned. */
  readonly memory: AgentMemory;
  /** Notes by topic that the agent curates itself, in agents/<name>.memory.md. */
  readonly sections: AgentSections;
  /** External documents: indexed, searched, cited. MEMORY.md is none of them. */
  readonly knowledge: AgentKnowledge;
  /** External knowledge as a run loop asks for it: the documents above, unless another database was given; null for none. */
  readonly longTermMemory: LongTermMemory | null;
  readonly #settings: ConversationSettings & RunSettings;
  readonly #identity: Identity;
  readonly #open: () => Promise<Engine>;
  readonly #track: (conversation: Conversation) => void;
  readonly #later: (work: Promise<unknown>) => void;
  #conversation: Promise<Conversation> | undefined;
  #compressor: Promise<ContextCompressor | null> | undefined;

  constructor(
    name: string,
    { longTermMemory, ...settings }: Omit<AgentOptions, 'name' | 'role'>,
    identity: Identity,
    call: Call,
    open: () => Promise<Engine>,
    track: (conversation: Conversation) => void,
    later: (work: Promise<unknown>) => void,
  ) {
    this.name = name;
    this.memory = new AgentMemory(call);
    this.sections = new AgentSections(call);
    this.knowledge = new AgentKnowledge(call);
    this.longTermMemory = longTermMemoryFor(call, longTermMemory);
    this.#settings = settings;
    this.#identity = identity;
    this.#open = open;
    this.#track = track;
    this.#later = later;
  }

  /** The agent's conversation, opened on first use: its messages, MEMORY.md, archives and exports. */
  get shortMemory(): Promise<Conversation> {
    this.#conversation ??= this.#openConversation();
    return this.#conversation;
  }

  /** What compacts the conversation by itself; null when that is switched off. */
  get contextCompressor(): Promise<ContextCompressor | null> {
    this.#compressor ??= this.#open().then((engine) => compressorFor(engine, this.name, this.#settings));
    return this.#compressor;
  }

  set contextCompressor(compressor: ContextCompressor | null) {
    checkCompressor(compressor);
    this.#compressor = Promise.resolve(compressor);
  }

  /** For the top of each loop of an agent: compacts when the context is nearly full. Null when that is switched off. */
  async compressIfNeeded(): Promise<Compression | null> {
    const compressor = await this.contextCompressor;
    return compressor === null ? null : compressor.compressIfNeeded(await this.shortMemory);
  }

  /** Does a task: one session with one prompt. Resolves to the answer; what it taught is kept while the program goes on. */
  async run(task: string, { automatic = false, ...options }: RunOptions = {}): Promise<string> {
    const session = await this.#session(automatic ? 'automatic' : 'task');
    try {
      return (await session.send(task, options)).text;
    } finally {
      // Nobody waits for the review of a session but whoever closes the client.
      this.#later(session.end());
    }
  }

  /** A session, for several prompts, streaming and events. End it, or use it with `await using`. */
  session(): Promise<Session> {
    return this.#session('chat');
  }

  async #session(kind: SessionKind): Promise<Session> {
    const { systemPrompt, rules, customRulesPrompt } = this.#settings;
    const [engine, conversation] = await Promise.all([this.#open(), this.shortMemory]);
    // Only programs that run agents load what that takes.
    const { openSession } = await import('./agent-run.ts');
    return openSession(
      {
        ...this.#identity,
        name: this.name,
        settings: this.#settings,
        instructions: systemPrompt,
        rules,
        customRules: customRulesPrompt,
        longTermMemory: this.longTermMemory,
        conversation,
        compressor: () => this.contextCompressor,
      },
      engine,
      kind,
    );
  }

  async #openConversation(): Promise<Conversation> {
    try {
      const { conversations } = await this.#open();
      const conversation = conversations.open(this.name, ownSwitches(this.#settings));
      this.#track(conversation);
      return await conversation.ready();
    } catch (error) {
      // A failed opening may succeed later, for example once the disk has room again.
      this.#conversation = undefined;
      throw error;
    }
  }
}

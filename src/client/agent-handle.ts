/** One agent, as the SDK shows it: what it knows, what it noted, what was said, and how that is kept within bounds. */
import type { Compression, ContextCompressor, Conversation } from '../conversation/index.ts';
import type { Role } from '../kernel/scope.ts';
import type { LongTermMemory } from '../knowledge/index.ts';
import { AgentKnowledge, type KnowledgeMemoryOptions, longTermMemoryFor } from './agent-knowledge.ts';
import { AgentMemory } from './agent-memory.ts';
import { AgentSections } from './agent-sections.ts';
import type { Call } from './call.ts';
import { checkCompressor } from './check-options.ts';
import { type ConversationSettings, compressorFor, ownSwitches } from './conversation-settings.ts';
import type { Engine } from './engine.ts';

export interface AgentOptions extends ConversationSettings {
  /** The agent's durable identity: the same name finds the same memory again. */
  readonly name: string;
  /** `lead` may also change what is shared with the swarm. */
  readonly role?: Exclude<Role, 'admin'>;
  /** Where external knowledge is looked up: a vector database of your own, a folder of documents, or null for nowhere. */
  readonly longTermMemory?: LongTermMemory | KnowledgeMemoryOptions | null;
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
  readonly #settings: ConversationSettings;
  readonly #open: () => Promise<Engine>;
  readonly #track: (conversation: Conversation) => void;
  #conversation: Promise<Conversation> | undefined;
  #compressor: Promise<ContextCompressor | null> | undefined;

  constructor(
    name: string,
    { longTermMemory, ...settings }: Omit<AgentOptions, 'name' | 'role'>,
    call: Call,
    open: () => Promise<Engine>,
    track: (conversation: Conversation) => void,
  ) {
    this.name = name;
    this.memory = new AgentMemory(call);
    this.sections = new AgentSections(call);
    this.knowledge = new AgentKnowledge(call);
    this.longTermMemory = longTermMemoryFor(call, longTermMemory);
    this.#settings = settings;
    this.#open = open;
    this.#track = track;
  }

  /** The agent's conversation, opened on first use: its messages, MEMORY.md, archives and exports. */
  get shortMemory(): Promise<Conversation> {
    this.#conversation ??= this.#openConversation();
    return this.#conversation;
  }

  /** What compacts the conversation by itself; null when that is switched off. */
  get contextCompressor(): Promise<ContextCompressor | null> {
    this.#compressor ??= this.#open().then(({ config }) => compressorFor(config, this.name, this.#settings));
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

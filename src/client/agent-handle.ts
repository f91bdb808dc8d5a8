/** The SDK handle of one agent: memory, sections, conversation and knowledge. */

import type { SendOptions, Session } from '../agents/index.ts';
import type { SessionReceipts } from '../context/index.ts';
import {
  type Compression,
  CompressorChoice,
  type ContextCompressor,
  type Conversation,
} from '../conversation/index.ts';
import { defined } from '../kernel/defined.ts';
import type { Role } from '../kernel/scope.ts';
import type { LongTermMemory } from '../knowledge/index.ts';
import { verbs } from '../verbs.ts';
import type { Call } from './call.ts';
import { checkCompressor, checkSessionKind } from './check-options.ts';
import {
  type ConversationSettings,
  compressionDefaults,
  compressorFor,
  isStateless,
  ownSwitches,
} from './conversation-settings.ts';
import type { Engine } from './engine.ts';
import { type MemoryTool, type MemoryToolPack, memoryToolsOf } from './handle-tools.ts';
import { type KnowledgeMemoryOptions, longTermMemoryFor } from './knowledge-memory.ts';
import type { Identity, RunSettings, SessionKind } from './run-settings.ts';
import { AgentVerbs } from './sdk/index.ts';

export interface AgentOptions extends ConversationSettings, RunSettings {
  /** The agent's durable identity: the same name finds the same memory again. */
  readonly name: string;
  /** The person that it serves: any id of 1 to 256 characters. What it remembers about one user, no other user sees. */
  readonly user?: string;
  /** `lead` may also change what is shared with the swarm. */
  readonly role?: Exclude<Role, 'admin'>;
  /** Another name for `systemPrompt`. */
  readonly instructions?: string;
  /** Where external knowledge is looked up: a vector database of your own, a folder of documents, or null for nowhere. */
  readonly longTermMemory?: LongTermMemory | KnowledgeMemoryOptions | null;
}

export interface RunOptions extends SendOptions {
  /** It was started by a schedule: the same task again keeps one record of its results, not many. */
  readonly automatic?: boolean;
}

export interface SessionOptions {
  /** What becomes of its last prompt is remembered with `task`; with `automatic` once, however often it repeats. */
  readonly kind?: SessionKind;
}

/** What a handle is made of. */
export interface HandleParts {
  readonly name: string;
  readonly user: string | undefined;
  readonly thread: string | undefined;
  readonly settings: Omit<AgentOptions, 'name' | 'user' | 'role' | 'instructions'>;
  readonly identity: Identity;
  readonly call: Call;
  /** The same agent, in another thread. */
  inThread(thread: string): HandleParts;
  open(): Promise<Engine>;
  /** Told of every conversation that is opened. */
  track(conversation: Conversation): void;
  /** Told of work that continues when the answer is there. */
  later(work: Promise<unknown>): void;
}

export class AgentHandle extends AgentVerbs {
  readonly name: string;
  /** The person that it serves; undefined for nobody in particular. */
  readonly user: string | undefined;
  /** The thread that its conversation is; undefined for its one conversation. */
  readonly thread: string | undefined;
  /** External knowledge as a run loop asks for it: the documents above, unless another database was given; null for none. */
  readonly longTermMemory: LongTermMemory | null;
  readonly #parts: HandleParts;
  readonly #compressor: CompressorChoice;
  #conversation: Promise<Conversation> | undefined;

  constructor(parts: HandleParts) {
    const { name, call, settings, identity } = parts;
    super(call);
    this.name = name;
    this.user = parts.user;
    this.thread = parts.thread;
    this.longTermMemory = longTermMemoryFor(call, settings.longTermMemory);
    this.#parts = parts;
    this.#compressor = new CompressorChoice(async () =>
      compressorFor(await parts.open(), name, settings, identity.swarm?.onCall),
    );
  }

  protected static partsOf(handle: AgentHandle): HandleParts {
    return handle.#parts;
  }

  /** The same agent and user in a thread of its own: its messages, sessions and runs. Any text of 1 to 256 characters names one. */
  conversation(thread: string): AgentHandle {
    return new AgentHandle(this.#parts.inThread(thread));
  }

  /** The agent's conversation, opened on first use: its messages, MEMORY.md, archives and exports. */
  get shortMemory(): Promise<Conversation> {
    this.#conversation ??= this.#openConversation();
    return this.#conversation;
  }

  /** What compacts the conversation by itself; null when that is switched off. */
  get contextCompressor(): Promise<ContextCompressor | null> {
    return this.#compressor.get();
  }

  set contextCompressor(compressor: ContextCompressor | null) {
    checkCompressor(compressor);
    this.#compressor.choose(compressor);
  }

  /** For the top of each loop of an agent: compacts when the context is nearly full. Null when that is switched off. */
  async compressIfNeeded(): Promise<Compression | null> {
    const compressor = await this.contextCompressor;
    return compressor === null ? null : compressor.compressIfNeeded(await this.shortMemory);
  }

  /** Does a task: one session with one prompt. Resolves to the answer; what it taught is kept while the program continues. */
  async run(task: string, { automatic = false, ...options }: RunOptions = {}): Promise<string> {
    const session = await this.session({ kind: automatic ? 'automatic' : 'task' });
    try {
      return (await session.send(task, options)).text;
    } finally {
      // Nobody waits for the review of a session but whoever closes the client.
      this.#parts.later(session.end());
    }
  }

  /** A session, for several prompts, streaming and events. End it, or use it with `await using`. */
  async session({ kind = 'chat' }: SessionOptions = {}): Promise<Session> {
    const { settings, identity } = this.#parts;
    const { systemPrompt, rules, customRulesPrompt } = settings;
    checkSessionKind(kind);
    const [engine, conversation] = await Promise.all([this.#parts.open(), this.shortMemory]);
    // Only programs that run agents load what that takes.
    const { openSession } = await import('./agent-run.ts');
    return openSession(
      {
        ...identity,
        name: this.name,
        user: this.user,
        thread: this.thread,
        settings,
        instructions: systemPrompt,
        rules,
        customRules: customRulesPrompt,
        longTermMemory: this.longTermMemory,
        conversation,
        compressor: this.#compressor,
        isStateless: isStateless(engine.config, this.name, settings),
      },
      engine,
      kind,
    );
  }

  /** Memory tools for a model that your own program runs: name, description, schema and what the tool does. */
  tools(packs: readonly MemoryToolPack[] = ['facts']): MemoryTool[] {
    const { call, identity, name: agent, user } = this.#parts;
    const viewer = { agent, role: identity.role, ...defined({ user }) };
    return memoryToolsOf(call, { viewer, via: identity.via }, packs);
  }

  /** What entered the prompts of a session, and why: one receipt for each call of its model. Default: its last session. */
  why(session?: string): Promise<SessionReceipts> {
    return this.#parts.call(verbs.sessionWhy, defined({ session }));
  }

  async #openConversation(): Promise<Conversation> {
    try {
      const { open, track, settings, identity } = this.#parts;
      const engine = await open();
      const compression = compressionDefaults(engine, this.name, settings, identity.swarm?.onCall);
      const place = { agent: this.name, user: this.user ?? null, thread: this.thread ?? null };
      const switches = ownSwitches(engine.config, this.name, settings);
      const conversation = engine.conversations.openAt(place, { ...switches, compression });
      track(conversation);
      return await conversation.ready();
    } catch (error) {
      // A failed opening may succeed later, for example once the disk has room again.
      this.#conversation = undefined;
      throw error;
    }
  }
}

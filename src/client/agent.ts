/** `new Agent()`: an agent without a client of your own. It opens its workspace and its conversation when it is constructed. */

import type { Session } from '../agents/index.ts';
import { defined } from '../kernel/defined.ts';
import { AgentHandle, type AgentOptions, type SessionOptions } from './agent-handle.ts';
import { checkNewAgentOptions } from './check-options.ts';
import { type Client, createClient } from './create-client.ts';

export interface NewAgentOptions extends Omit<AgentOptions, 'name'> {
  /** The agent's durable identity. Default: `name` of keepsake.jsonc, which is "swarm-worker-01" unless it is set. */
  readonly name?: string;
  /** The client that it works with; agents that share one share its open files. Default: one of its own. */
  readonly client?: Client;
  /** Folder of its own client. Default: nearest folder with keepsake.jsonc, else $WORKSPACE_DIR, else ~/.keepsake. */
  readonly workspace?: string;
}

export class Agent extends AgentHandle implements AsyncDisposable {
  readonly client: Client;
  readonly #ownsClient: boolean;
  readonly #sessions = new WeakSet<object>();
  /** MEMORY.md exists then, or the first call reports why not. */
  readonly #opening: Promise<unknown>;
  #hasBegun = false;

  constructor(options: NewAgentOptions = {}) {
    checkNewAgentOptions(options);
    const { client: given, workspace, ...settings } = options;
    const client = given ?? createClient(defined({ workspace }));
    const named = 'name' in options ? options.name : client.defaultAgentName();
    super(AgentHandle.partsOf(client.agent({ ...settings, name: named as string })));
    this.client = client;
    this.#ownsClient = given === undefined;
    const { history, persistentMemory = true } = settings;
    const keepsFile = persistentMemory && history !== 'off' && history !== false;
    this.#opening = keepsFile ? this.shortMemory.catch(() => {}) : Promise.resolve();
  }

  override async session(options?: SessionOptions): Promise<Session> {
    const session = await super.session(options);
    this.#sessions.add(session);
    this.#hasBegun = true;
    return session;
  }

  /** Ends its sessions, finishes what they taught, and lets go of its files; a client that was given stays open. */
  async close(): Promise<void> {
    await this.#opening;
    if (this.#ownsClient) return this.client.close();
    // A client that was closed before ended them.
    const engine = this.#hasBegun ? await this.client.open().catch(() => undefined) : undefined;
    const own = [...(engine?.sessions ?? [])].filter((session) => this.#sessions.has(session));
    await Promise.all(own.map((session) => session.end()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** The entry to Keepsake: a client opens its workspace on first use and closes it when asked. */
/// <reference lib="esnext.disposable" preserve="true" />

import { type ReEmbedOptions, type ReEmbedReport, reEmbedMemory } from '../administration/re-embed.ts';
import { type ReindexReport, workspaceReindex } from '../administration/reindex.ts';
import type { ExportOptions, ExportReport, ImportOptions, ImportReport } from '../administration/transfer.ts';
import type { Participation, Session, SwarmRun } from '../agents/index.ts';
import type { Conversation } from '../conversation/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { copyInput } from '../kernel/copy-input.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { EventHub, type EventListener, type KeepsakeEvent, type Via } from '../kernel/events.ts';
import { lostCurrentFolder } from '../kernel/lost-folder.ts';
import { checkAgentName } from '../kernel/names.ts';
import { checkThreadId, checkUserId } from '../kernel/users.ts';
import { callVerb, type ResultOf } from '../kernel/verb.ts';
import type { EventQuery } from '../ports/event-store.ts';
import { verbs } from '../verbs.ts';
import { AgentHandle, type AgentOptions, type HandleParts } from './agent-handle.ts';
import type { Call } from './call.ts';
import {
  checkAgentOptions,
  checkClientOptions,
  checkEventQuery,
  checkListener,
  checkRawSessionOptions,
} from './check-options.ts';
import { configOf, type Engine, type EngineOptions, openEngine } from './engine.ts';
import { RemoteConnection } from './remote.ts';
import { limitsOf, type RunSettings } from './run-settings.ts';
import { OwnerVerbs } from './sdk/index.ts';
import { Runs, Swarm, type SwarmOptions } from './swarm.ts';
import { localPlace, type SwarmPlace } from './swarm-place.ts';
import { UserHandle } from './user-handle.ts';

/** One of user, agent and userPrefix is named. */
export interface EraseInput {
  /** Everything about this user, with every agent. */
  readonly user?: string;
  /** Everything of this agent, with all of its users. */
  readonly agent?: string;
  /** Every user whose id begins with this. */
  readonly userPrefix?: string;
  /** Only counts what there is. */
  readonly dryRun?: boolean;
  /** Rewrites all tables afterwards, so that no page keeps old text: VACUUM FULL on Postgres. */
  readonly compact?: boolean;
}

export interface ClientOptions extends EngineOptions {
  /** Address of a Keepsake server; without it, the engine runs in this process. */
  readonly url?: string;
  /** The key that the server knows the caller by. */
  readonly apiKey?: string | undefined;
  /** Which surface the client serves; shown in events. */
  readonly via?: Via;
  /** A listener that throws does not disturb the write it hears of; its error arrives here. */
  readonly onListenerError?: (error: unknown) => void;
}

export interface RawSessionOptions
  extends Pick<RunSettings, 'model' | 'light' | 'maxLoops' | 'tools' | 'packs' | 'temperature'> {
  /** What the session is for: the first message of every prompt. */
  readonly systemPrompt?: string;
  /** Another name for `systemPrompt`. */
  readonly instructions?: string;
}

export class Client extends OwnerVerbs implements AsyncDisposable {
  readonly #options: ClientOptions;
  readonly #hub: EventHub;
  readonly #remote: RemoteConnection | undefined;
  readonly #callAsOwner: Call;
  #engine: Promise<Engine> | undefined;
  readonly #conversations = new Set<Conversation>();
  readonly #chunkSizes = new Map<string, number>();
  readonly #agents = new Set<string>();
  readonly #swarmRuns = new Set<SwarmRun>();
  /** Calls that were made and have not answered yet. */
  readonly #underWay = new Set<Promise<void>>();
  #closed = false;

  /** The runs of all swarms, of all processes. */
  readonly runs: Runs;

  readonly events: {
    /** Hears every event of this process, in order; returns a function that stops it. */
    subscribe(listener: EventListener): () => void;
    /** Reads stored events, of all processes, oldest first. */
    read(query?: Partial<EventQuery>): Promise<readonly KeepsakeEvent[]>;
  };

  constructor(options: ClientOptions = {}) {
    super((verb, input, callOptions) => this.#callAsOwner(verb, input, callOptions));
    checkClientOptions(options);
    this.#options = options;
    this.#hub = new EventHub(options.onListenerError);
    const { url, apiKey, onListenerError } = options;
    this.#remote = url === undefined ? undefined : new RemoteConnection({ url, apiKey }, onListenerError);
    this.#callAsOwner = this.#callAs({ viewer: { role: 'admin' }, via: this.#via });
    this.runs = new Runs(() => this.#place());
    this.events = {
      subscribe: (listener) => (this.#remote ?? this.#hub).subscribe(checkListener(listener)),
      read: async (query = {}) => {
        checkEventQuery(query);
        if (this.#remote !== undefined) return this.#remote.read(query);
        return (await this.open()).storage.events.read({ limit: 100, ...query });
      },
    };
  }

  /** A handle on one agent; nothing is written until it remembers something. */
  agent(options: AgentOptions): AgentHandle {
    checkAgentOptions(options);
    return this.#handle(options);
  }

  /** A handle on one user: what is known about a person with every agent. Nothing is written until something is remembered. */
  user(id: string): UserHandle {
    const user = checkUserId(id);
    return new UserHandle(user, this.#callAs({ viewer: { user, role: 'worker' }, via: this.#via }));
  }

  /** Who is meant when no agent is named: `name` of keepsake.jsonc, which is "swarm-worker-01" unless it is set. */
  defaultAgentName(): string {
    if (this.#remote !== undefined) throw this.#remote.refuse();
    return configOf(this.#options).config.name;
  }

  /** Agents that work on one task together, with a working memory that they share while they do. */
  swarm(options: SwarmOptions): Swarm {
    return new Swarm(options, {
      place: () => this.#place(),
      agent: (agent, participation, later) => this.#handle(agent, participation, later),
      remoteMember:
        this.#remote === undefined
          ? undefined
          : async (agent, participation) => {
              const { remoteMember } = await import('./remote-member.ts');
              const { name, role = 'worker' } = agent;
              const call = this.#callAs({ viewer: { agent: name, role }, via: this.#via });
              return remoteMember(agent, participation, call);
            },
      track: (work) => this.#keepTrack(work),
      began: (run) => {
        for (const other of this.#swarmRuns) if (other.status !== 'running') this.#swarmRuns.delete(other);
        this.#swarmRuns.add(run);
      },
    });
  }

  /**
   * Erases everything about a user, or of an agent, in every layer, and answers with signed receipts; with `dryRun` it only
   * counts. What was interrupted continues when it is called again.
   */
  erase(subject: EraseInput): Promise<ResultOf<typeof verbs.eraseRun>> {
    return this.#callAsOwner(verbs.eraseRun, subject);
  }

  /** Writes all that is remembered, or all of one agent or about one user, into one file that `import` takes in again. */
  export(file: string, options: ExportOptions = {}): Promise<ExportReport> {
    const work = this.open().then(async (engine) => {
      const { workspaceExport } = await import('../administration/transfer.ts');
      return workspaceExport(engine, file, options);
    });
    this.#keepTrack(work);
    return work;
  }

  /** Takes in an export, the memory of another system, or a folder of Markdown; twice is the same as once. */
  import(
    path: string,
    { agent, user, ...options }: ImportOptions & { agent?: string; user?: string } = {},
  ): Promise<ImportReport> {
    const work = this.open().then(async (engine) => {
      const name = checkAgentName(agent ?? engine.config.name);
      const whose = user === undefined ? {} : { user: checkUserId(user) };
      const { workspaceImport } = await import('../administration/transfer.ts');
      return workspaceImport(
        engine,
        path,
        { viewer: { agent: name, role: 'worker', ...whose }, via: this.#via },
        options,
      );
    });
    this.#keepTrack(work);
    return work;
  }

  /** Goes over to the configured embedding model: search continues with the old vectors until all new ones are there. */
  reEmbed(options: ReEmbedOptions = {}): Promise<ReEmbedReport> {
    const work = this.open().then((engine) => reEmbedMemory(engine, options));
    this.#keepTrack(work);
    return work;
  }

  /** Rebuilds every index from the stored memories, messages and vectors. */
  reindex(
    options: { readonly onProgress?: (progress: { done: number; total: number }) => void } = {},
  ): Promise<ReindexReport> {
    const work = this.open().then((engine) => workspaceReindex(engine, options));
    this.#keepTrack(work);
    return work;
  }

  /** A raw session, without an identity: nothing is remembered, and memory tools say so. */
  async session(options: RawSessionOptions = {}): Promise<Session> {
    checkRawSessionOptions(options);
    const { instructions, systemPrompt = instructions, ...settings } = options;
    // Only programs that run agents load what that takes.
    const { openSession } = await import('./agent-run.ts');
    return openSession(
      {
        name: null,
        role: 'reader',
        via: this.#via,
        settings,
        instructions: systemPrompt,
        longTermMemory: null,
        conversation: null,
        compressor: null,
      },
      await this.open(),
    );
  }

  /** Opens the workspace now instead of on first use. */
  open(): Promise<Engine> {
    if (this.#closed) {
      return Promise.reject(
        new KeepsakeError('CLOSED', 'This client is closed.', { hint: 'Create a new one.' }),
      );
    }
    if (this.#remote !== undefined) return Promise.reject(this.#remote.refuse());
    this.#engine ??= openEngine(this.#options, this.#hub, this.#chunkSizes, this.#agents).catch(
      (error: unknown) => {
        // A failed opening may succeed later, for example once the disk has room again.
        this.#engine = undefined;
        throw lostCurrentFolder(error) ?? error;
      },
    );
    return this.#engine;
  }

  /** Finishes what was asked for and lets go of the files. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const opened = await this.#engine?.catch(() => undefined);
    const runs = [...this.#swarmRuns].filter(({ status }) => status === 'running');
    await Promise.allSettled(runs.map((run) => run.cancel('The client that started it was closed.')));
    // What they are at is stopped and told, before the files are closed under them.
    await Promise.allSettled([...(opened?.sessions ?? [])].map((session) => session.end()));
    await Promise.all(this.#underWay);
    await Promise.all([...this.#swarmRuns].map((run) => run.settled()));
    this.#remote?.close();
    await Promise.allSettled([...this.#conversations].map((conversation) => conversation.close()));
    await opened?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #place(): Promise<SwarmPlace> {
    if (this.#remote === undefined || this.#closed) return localPlace(await this.open());
    const { remotePlace } = await import('./remote-runs.ts');
    return remotePlace(this.#remote, this.#options.clock);
  }

  get #via(): Via {
    return this.#options.via ?? 'sdk';
  }

  /** Closing waits for it, whatever comes of it. */
  #keepTrack(work: Promise<unknown>): void {
    const settled = work.then(
      () => {},
      () => {},
    );
    this.#underWay.add(settled);
    void settled.then(() => this.#underWay.delete(settled));
  }

  #handle(
    { name, user: given, role = 'worker', instructions, ...others }: AgentOptions,
    swarm?: Participation,
    later?: (work: Promise<unknown>) => void,
  ): AgentHandle {
    const agent = checkAgentName(name);
    const settings = { ...others, ...defined({ systemPrompt: others.systemPrompt ?? instructions }) };
    const user = given === undefined ? undefined : checkUserId(given);
    this.#agents.add(agent);
    if (settings.memoryChunkSize !== undefined) this.#chunkSizes.set(agent, settings.memoryChunkSize);
    const via = this.#via;
    const viewer = { agent, role, ...defined({ user }) };
    const partsIn = (thread: string | undefined): HandleParts => ({
      ...{ name: agent, user, thread, settings },
      identity: { role, via, swarm },
      call: this.#callAs({ viewer, via, ...defined({ thread }), ...limitsOf(settings) }),
      inThread: (other) => partsIn(checkThreadId(other)),
      open: () => this.open(),
      // Remembered, so that closing the client waits for what they still write.
      track: (conversation) => this.#conversations.add(conversation),
      later: (work) => {
        this.#keepTrack(work);
        later?.(work);
      },
    });
    return new AgentHandle(partsIn(undefined));
  }

  #callAs(caller: Caller): Call {
    const remotely = this.#remote?.callAs(caller);
    return (verb, input, options) => {
      // Now, and not when the workspace is open: by then the caller may use the object for something else.
      const given = copyInput(input);
      const result =
        remotely === undefined || this.#closed
          ? this.open().then((engine) => callVerb(verb, engine, given, caller, options))
          : remotely(verb, given, options);
      this.#keepTrack(result);
      return result;
    };
  }
}

/** Creates a client on the embedded engine, offline and without any key; or, with `url`, on a server. */
export function createClient(options: ClientOptions = {}): Client {
  return new Client(options);
}

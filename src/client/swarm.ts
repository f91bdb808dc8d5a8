/** `client.swarm()`: agents that work on one task together; and `client.runs`: what became of their runs. */
import type { Member, Participation, SwarmRun } from '../agents/index.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { JsonObject } from '../kernel/json.ts';
import { checkAgentName, foldAgentName } from '../kernel/names.ts';
import type { SwarmResult, SwarmResultHit } from '../knowledge/index.ts';
import { RUN_STATUSES, type RunRecord, type RunUsage } from '../ports/run-store.ts';
import { CACHE_KINDS, type CacheKind, noRun, RunHandle } from '../working/index.ts';
import type { AgentHandle, AgentOptions } from './agent-handle.ts';
import { checkAgentOptions, checkStartOptions, checkSwarmOptions } from './check-options.ts';
import type { RunsQuery, SwarmPlace } from './swarm-place.ts';

/** In dollars. */
const DEFAULT_BUDGET = 5;

export interface SwarmOptions {
  /** What the swarm is called; its runs are listed under it. */
  readonly name: string;
  /** The agents that work in parallel. */
  readonly agents: readonly AgentOptions[];
  /** Who puts the results together: the name of one of the agents, or one more. */
  readonly lead: string | AgentOptions;
  /** What kind of swarm it is, kept with its results. Default `research`. */
  readonly type?: string;
  /** What a run may cost in dollars; it stops at 95 % of that. Default 5. */
  readonly budget?: number;
  /** Stores the working memory of a completed run as a record. Default: it is gone. */
  readonly snapshot?: boolean;
  /**
   * Gives an earlier answer again instead of asking any model: to the same task (`exact`), or also to one whose
   * embedding is closer than 0.97 (`semantic`). Default: every run is a new one.
   */
  readonly cache?: CacheKind;
}

export interface StartOptions {
  readonly task: string;
  /** What the working memory holds at the start, besides topic, findings and status. */
  readonly state?: JsonObject;
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  /** Told of the run as soon as there is one, for example to watch it. */
  readonly onStart?: (run: SwarmRun) => void;
}

export interface SwarmOutcome {
  readonly run: RunRecord;
  /** What the lead made of it. */
  readonly output: string;
  /** As it is stored in the collection `swarm-memory`. */
  readonly result: SwarmResult;
  /** What earlier runs had found about it, which the result links to. */
  readonly earlier: readonly SwarmResultHit[];
  readonly usage: RunUsage;
  /** Set when the answer is that of an earlier run: how close its task was, 1 for the same words. */
  readonly cached?: number;
}

/** What a swarm needs of its client. */
export interface SwarmHost {
  place(): Promise<SwarmPlace>;
  agent(
    options: AgentOptions,
    participation: Participation,
    later: (work: Promise<unknown>) => void,
  ): AgentHandle;
  /** A participant whose run a server keeps. */
  readonly remoteMember?:
    | ((options: AgentOptions, participation: Participation) => Promise<Member>)
    | undefined;
  /** Closing the client waits for it. */
  track(work: Promise<unknown>): void;
  /** Closing the client ends it. */
  began(run: SwarmRun): void;
}

/** The options with everything decided. */
export interface SwarmPlan {
  readonly name: string;
  readonly type: string;
  readonly budget: number;
  readonly snapshot: boolean;
  readonly cache: CacheKind | undefined;
  readonly lead: string;
  readonly workers: readonly string[];
  readonly members: readonly AgentOptions[];
}

export class Swarm {
  readonly name: string;
  readonly #plan: SwarmPlan;
  readonly #host: SwarmHost;

  constructor(options: SwarmOptions, host: SwarmHost) {
    this.#plan = planOf(options);
    this.name = this.#plan.name;
    this.#host = host;
  }

  /** Begins a run that the program coordinates itself, with `run.ask()`; end it with `complete(output)`, fail or cancel. */
  async start(options: StartOptions): Promise<SwarmRun> {
    checkStartOptions(options, 'swarm.start');
    const { startRun } = await import('./swarm-start.ts');
    return startRun(this.#plan, options, this.#host);
  }

  /** Does a task: all agents work on it side by side, then the lead puts their findings together. */
  async run(task: string, options: Omit<StartOptions, 'task'> = {}): Promise<SwarmOutcome> {
    checkStartOptions(options, 'swarm.run');
    const { runSwarm } = await import('./swarm-start.ts');
    const work = runSwarm(this.#plan, { ...options, task }, this.#host);
    this.#host.track(work);
    return work;
  }
}

/** The runs of all swarms of a workspace. */
export class Runs {
  readonly #place: () => Promise<SwarmPlace>;

  constructor(place: () => Promise<SwarmPlace>) {
    this.#place = place;
  }

  /** Newest first. */
  async list(query: RunsQuery = {}): Promise<readonly RunRecord[]> {
    const { status } = query;
    if (status !== undefined && !RUN_STATUSES.includes(status)) {
      throw invalid(
        `"${String(status)}" is not a status of a run.`,
        `Use one of ${RUN_STATUSES.join(', ')}.`,
      );
    }
    return (await this.#place()).list(query);
  }

  /** One run, to look at it, to work on its state, or to cancel it; also when it is under way in another process. */
  async get(id: string): Promise<RunHandle> {
    const runs = (await this.#place()).runsOf();
    const record = await runs.get(id);
    if (record === null) throw noRun(id);
    return new RunHandle(record, runs);
  }
}

function planOf(options: SwarmOptions): SwarmPlan {
  checkSwarmOptions(options);
  const { name, agents, lead, type = 'research', budget = DEFAULT_BUDGET, snapshot = false, cache } = options;
  const example = 'client.swarm({ name: "market", agents: [{ name: "scout" }], lead: { name: "editor" } })';
  if (!Array.isArray(agents) || agents.length === 0) {
    throw invalid('A swarm needs at least one agent.', `For example: ${example}`);
  }
  if (typeof budget !== 'number' || !(budget > 0)) {
    throw invalid('The budget of a swarm must be a number of dollars above 0.', 'Default: 5 dollars.');
  }
  if (cache !== undefined && !CACHE_KINDS.includes(cache)) {
    throw invalid(
      'The cache of a swarm must be "exact" or "semantic".',
      'Leave it out to start a new run each time.',
    );
  }
  for (const agent of agents) checkAgentOptions(agent);
  const isNamed = typeof lead === 'string';
  if (isNamed && !agents.some((agent) => agent.name === lead)) {
    throw invalid(
      `The lead ${JSON.stringify(lead)} is not one of the agents.`,
      `Use one of ${agents.map((agent) => agent.name).join(', ')}, or pass the options of another agent as lead.`,
    );
  }
  if (!isNamed) checkAgentOptions(lead);
  const leadName = checkAgentName(isNamed ? lead : lead.name);
  const all = isNamed ? agents : [...agents, lead];
  const names = all.map((agent) => checkAgentName(agent.name));
  if (new Set(names.map(foldAgentName)).size < names.length) {
    throw invalid(
      'Two agents of the swarm have the same name.',
      'Each agent needs its own name, because the name identifies its memory.',
    );
  }
  const workers = names.filter((each) => each !== leadName);
  if (workers.length === 0)
    throw invalid('A swarm needs at least one agent besides its lead.', `For example: ${example}`);
  return {
    ...{ name: checkAgentName(name), type, budget, snapshot, cache, lead: leadName, workers },
    // Whoever leads may pass lessons on; nobody else becomes a lead by being asked along.
    members: all.map((agent) => ({
      ...agent,
      role: agent.name === leadName ? 'lead' : (agent.role ?? 'worker'),
    })),
  };
}

function invalid(message: string, hint: string): KeepsakeError {
  return new KeepsakeError('INVALID_INPUT', message, { hint });
}

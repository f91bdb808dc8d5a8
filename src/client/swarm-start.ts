/** Starts runs of swarms: the stored run, its working memory, its agents, and what earlier runs found. */
import {
  type Member,
  NO_USAGE,
  type Participation,
  PROGRAM,
  RunHandle,
  type RunServices,
  research,
  SwarmRun,
  sweepRuns,
} from '../agents/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { KeepsakeError, toKeepsakeError } from '../kernel/errors.ts';
import type { SwarmResult, SwarmResultHit } from '../knowledge/index.ts';
import type { RunUsage } from '../ports/run-store.ts';
import { judgeState, STATE_LEASE, toDocument } from '../working/index.ts';
import type { AgentOptions } from './agent-handle.ts';
import type { Engine } from './engine.ts';
import type { StartOptions, SwarmHost, SwarmOutcome, SwarmPlan } from './swarm.ts';

/** How many earlier results a run is shown, and how close they must be to its task. */
const MOST_EARLIER = 3;
const LEAST_RELEVANCE = 0.2;
const MAX_LABEL = 120;

function servicesOf({ storage, clock, guard, hub }: Engine): RunServices {
  const { runs, state: states, bus, events } = storage;
  return {
    ...{ runs, states, bus, clock },
    judge: (value, caller) =>
      judgeState(value, caller, {
        guard,
        clock,
        emit: async (event) => hub.publish(await events.append([event])),
      }),
  };
}

export function sweep(engine: Engine): Promise<readonly string[]> {
  return sweepRuns(servicesOf(engine));
}

export async function attach(id: string, engine: Engine): Promise<RunHandle> {
  const record = await engine.storage.runs.get(id);
  if (record !== null) return new RunHandle(record, servicesOf(engine));
  throw new KeepsakeError('NOT_FOUND', `There is no run ${id}.`, { hint: 'See client.runs.list().' });
}

const leadCaller = (plan: SwarmPlan): Caller => ({
  viewer: { agent: plan.lead, role: 'lead' },
  via: 'system',
});

interface Started {
  readonly run: SwarmRun;
  readonly earlier: readonly SwarmResultHit[];
}

export async function startRun(plan: SwarmPlan, options: StartOptions, host: SwarmHost): Promise<Started> {
  const { task, state = {}, signal } = options;
  if (typeof task !== 'string' || task.trim() === '') {
    throw new KeepsakeError('INVALID_INPUT', 'There is no task.', {
      hint: 'Say in words what the swarm shall do.',
    });
  }
  const engine = await host.open();
  await sweep(engine);
  const services = servicesOf(engine);
  const earlier = await engine.swarmResults.search(
    { query: task, limit: MOST_EARLIER, minRelevance: LEAST_RELEVANCE },
    leadCaller(plan),
  );
  const now = engine.clock.now();
  const id = engine.ids('run');
  const leaseUntil = now + STATE_LEASE;
  const links = earlier.map(({ id: link, date }) => ({ id: link, date }));
  const document = toDocument({
    ...{ topic: task, findings: [], status: 'started' },
    ...(links.length === 0 ? {} : { earlier: links }),
    ...state,
  });
  // Before the run: should it fail, nothing claims to be running.
  await services.states.create({ run: id, document, by: PROGRAM, at: now, leaseUntil });
  const record = await services.runs.create({
    ...{ id, swarm: plan.name, type: plan.type, task, startedAt: now, leaseUntil, usage: NO_USAGE },
    participants: plan.members.map(({ name, role = 'worker' }) => ({ name, role })),
  });
  const run = new SwarmRun(record, services, { budget: plan.budget, signal });
  for (const member of plan.members) run.join(joining(member, run, host));
  host.began(run);
  return { run, earlier };
}

function joining(options: AgentOptions, run: SwarmRun, host: SwarmHost): Member {
  const { name } = options;
  const pending = new Set<Promise<unknown>>();
  // The log does not number what it does not keep.
  const participation: Participation = run.participation(name, ({ seq }) => seq === undefined);
  const handle = host.agent({ ...options, run: run.id }, participation, (work) => {
    const done = work.catch(() => {}).finally(() => pending.delete(done));
    pending.add(done);
  });
  let ready: Promise<unknown> | undefined;
  return {
    name,
    run: async (prompt, { signal, onText }) => {
      // A short context to begin with: the task alone. What was said in earlier runs, more_context shows.
      ready ??=
        options.history === undefined
          ? handle.shortMemory.then((said) => said.keepWindow(0))
          : Promise.resolve();
      await ready;
      return handle.run(prompt, {
        ...(signal === undefined ? {} : { signal }),
        ...(onText === undefined ? {} : { onText }),
      });
    },
    settled: async () => void (await Promise.all(pending)),
  };
}

export async function runSwarm(
  plan: SwarmPlan,
  options: StartOptions,
  host: SwarmHost,
): Promise<SwarmOutcome> {
  const { run, earlier } = await startRun(plan, options, host);
  try {
    const output = await research(run, { lead: plan.lead, workers: plan.workers, earlier });
    const engine = await host.open();
    if (plan.snapshot) await keepSnapshot(plan, run, engine);
    const result = await keepResult(plan, run, output, earlier, engine);
    await run.complete(result.id);
    return { run: await run.details(), output, result, earlier, usage: run.usage };
  } catch (error) {
    const failure = toKeepsakeError(error);
    const isCancelled = options.signal?.aborted === true;
    if (isCancelled) await run.cancel(failure.message);
    else await run.fail(failure.message);
    throw failure;
  }
}

function keepResult(
  plan: SwarmPlan,
  run: SwarmRun,
  output: string,
  earlier: readonly SwarmResultHit[],
  { swarmResults }: Engine,
): Promise<SwarmResult> {
  const { cost, models } = run.usage;
  const model = modelsOf(models);
  return swarmResults.add(
    {
      ...{ output, run: run.id, type: plan.type, links: earlier.map(({ id }) => id) },
      ...(cost === null ? {} : { cost }),
      ...(model === '' ? {} : { model }),
    },
    leadCaller(plan),
  );
}

const modelsOf = (models: RunUsage['models']): string => Object.keys(models).join(', ').slice(0, MAX_LABEL);

/** The working memory of a run as a memory of its lead, which all agents see. */
async function keepSnapshot(plan: SwarmPlan, run: SwarmRun, { records }: Engine): Promise<void> {
  const { document, version } = await run.state.read();
  await records.add(
    {
      ...{
        content: JSON.stringify(document, null, 1),
        category: 'swarm-state',
        scope: 'swarm',
        origin: 'agent',
      },
      thread: `run:${run.id}`,
      metadata: { run: run.id, version },
    },
    leadCaller(plan),
  );
}

/** Starts runs of swarms: the stored run, its working memory, its agents, and what earlier runs found. */

import { type Member, type Participation, research, SwarmRun } from '../agents/index.ts';
import { defined } from '../kernel/defined.ts';
import { KeepsakeError, toKeepsakeError } from '../kernel/errors.ts';
import { NO_USAGE } from '../ports/run-store.ts';
import { COORDINATED_LEASE_MS, type KeepResultInput } from '../working/index.ts';
import type { AgentOptions } from './agent-handle.ts';
import type { StartOptions, SwarmHost, SwarmOutcome, SwarmPlan } from './swarm.ts';

export async function startRun(plan: SwarmPlan, options: StartOptions, host: SwarmHost): Promise<SwarmRun> {
  const { task, state, signal } = options;
  if (typeof task !== 'string' || task.trim() === '') {
    throw new KeepsakeError('INVALID_INPUT', 'The task is empty.', {
      hint: 'Describe what the swarm should do.',
    });
  }
  const place = await host.place();
  const { run: record, earlier } = await place.start({
    ...{ swarm: plan.name, type: plan.type, task },
    ...defined({ state }),
    leaseMs: COORDINATED_LEASE_MS,
    participants: plan.members.map(({ name, role = 'worker' }) => ({ name, role })),
  });
  const { budget, snapshot } = plan;
  const keep = (input: KeepResultInput) => place.keep(record, input);
  const run = new SwarmRun(record, place.runsOf(plan.lead), { budget, signal, earlier, snapshot, keep });
  for (const member of plan.members) {
    const far = host.remoteMember;
    const isPassing = (): boolean => member.history === 'off' || member.history === false;
    run.join(
      far === undefined
        ? joining(member, run, host)
        : await far(member, run.participation(member.name, isPassing)),
    );
  }
  host.began(run);
  return run;
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
        ...defined({ signal, onText }),
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
  const known = await answeredBefore(plan, options.task, host);
  if (known !== undefined) return known;
  const run = await startRun(plan, options, host);
  try {
    options.onStart?.(run);
    const { earlier } = run;
    const output = await research(run, { lead: plan.lead, workers: plan.workers, earlier });
    if (!(await run.complete(output))) throw run.signal.reason;
    return { run: await run.details(), output, result: run.result!, earlier, usage: run.usage };
  } catch (error) {
    const failure = toKeepsakeError(error);
    const isCancelled = options.signal?.aborted === true;
    if (isCancelled) await run.cancel(failure.message);
    else await run.fail(failure.message);
    throw failure;
  }
}

async function answeredBefore(
  { name: swarm, cache }: SwarmPlan,
  task: string,
  host: SwarmHost,
): Promise<SwarmOutcome | undefined> {
  if (cache === undefined || typeof task !== 'string') return undefined;
  const known = await (await host.place()).answer({ swarm, task, cache });
  if (known === null) return undefined;
  const { run, result, similarity } = known;
  return { run, output: result.output, result, earlier: [], usage: NO_USAGE, cached: similarity };
}

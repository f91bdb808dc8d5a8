/** The research swarm: workers investigate the task in parallel, then the lead combines their findings. */
import { KeepsakeError, toKeepsakeError } from '../../kernel/errors.ts';
import type { SwarmResultHit } from '../../knowledge/index.ts';
import { type Finding, leadPrompt, workerPrompt } from './prompts.ts';
import type { SwarmRun } from './swarm-run.ts';

export interface ResearchPlan {
  readonly lead: string;
  readonly workers: readonly string[];
  readonly earlier: readonly SwarmResultHit[];
}

/** Resolves to what the lead made of it. One worker that fails does not stop the others; all of them do. */
export async function research(run: SwarmRun, { lead, workers, earlier }: ResearchPlan): Promise<string> {
  const { state } = run;
  const scene = { swarm: run.swarm, task: run.task, lead, workers, earlier };
  await state.merge({ status: 'research', next_step: 'merge' });
  const answers = await Promise.allSettled(
    workers.map(async (name): Promise<Finding> => {
      const claim = shortened(await run.ask(name, workerPrompt(name, scene)));
      await share(run, name, claim);
      return { source: name, claim };
    }),
  );
  run.signal.throwIfAborted();
  const findings = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const failed = workers.filter((_, i) => answers[i]?.status === 'rejected');
  const refused = workers.filter((_, i) => isRefused(answers[i]));
  if (findings.length === 0) throw allFailed(answers);
  await state.merge({ status: 'research_complete', ...(failed.length === 0 ? {} : { failed: [...failed] }) });
  const output = await run.ask(
    lead,
    leadPrompt(scene, findings, { failed: failed.filter((name) => !refused.includes(name)), refused }),
  );
  await state.merge({ status: 'done', next_step: null });
  return output;
}

/** More of one answer would crowd out the others, in the working memory and in the prompt of the lead; the bus has all of it. */
const LONGEST_FINDING = 50_000;

function shortened(claim: string): string {
  if (claim.length <= LONGEST_FINDING) return claim;
  const kept = claim.slice(0, LONGEST_FINDING).toWellFormed();
  return `${kept}\n… (${claim.length - LONGEST_FINDING} more characters; run_messages shows them)`;
}

const isRefused = (answer: PromiseSettledResult<unknown> | undefined): boolean =>
  answer?.status === 'rejected' && KeepsakeError.is(answer.reason) && answer.reason.code === 'BLOCKED';

/** What a worker answers is a finding, unless it has shared its findings itself. */
async function share(run: SwarmRun, source: string, claim: string): Promise<void> {
  const changes = await run.state.changes({ limit: 1_000 });
  if (changes.some(({ by, path }) => by === source && path.startsWith('/findings'))) return;
  await run.stateAs(source).append('/findings', { source, claim });
}

function allFailed(answers: readonly PromiseSettledResult<unknown>[]): KeepsakeError {
  const reasons = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason as unknown] : [],
  );
  const first = toKeepsakeError(reasons[0]);
  return new KeepsakeError(first.code, `No participant gave an answer. The first said: ${first.message}`, {
    cause: first,
    hint: first.hint ?? 'Look at the messages of the run.',
  });
}

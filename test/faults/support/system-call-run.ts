/** The campaign over system calls: every scenario with a fault at each call that it makes in its workspace, one at a time. */
import { join } from 'node:path';
import type { Chance } from './chance.ts';
import { startChild } from './children.ts';
import { type Call, FailingCalls, type Fault, nameOf } from './failing-calls.ts';
import { prepare, SCENARIOS } from './system-call-scenarios.ts';
import type { FailedCall } from './tasks/system-calls.ts';
import { inFolder } from './workspace.ts';

export interface SystemCallCampaign {
  /** Of each scenario: how many faults are tried at most, chosen at random. Without it, all. */
  readonly most?: number;
  readonly random: Chance;
  /** Only scenarios of these names. */
  readonly only?: readonly string[];
  readonly onProgress?: (scenario: string, so: SystemCallSummary) => void;
}

export interface SystemCallSummary {
  faults: number;
  injected: number;
  acknowledged: number;
  refused: number;
  readonly violations: string[];
}

/** The ways in which each call fails on real machines. */
const ERRORS: Readonly<Record<Call, readonly Fault['action'][]>> = {
  pread64: ['EIO'],
  pwrite64: ['EIO', 'ENOSPC'],
  fsync: ['EIO'],
  fdatasync: ['EIO'],
  ftruncate: ['EIO'],
  unlink: ['EACCES'],
  open: ['EACCES', 'EMFILE', 'ENOSPC'],
  read: ['EIO'],
  write: ['EIO', 'ENOSPC'],
  rename: ['EIO', 'ENOSPC'],
  link: ['EIO', 'ENOSPC'],
  mkdir: ['EACCES', 'ENOSPC'],
};

function faultsOf(calls: FailingCalls['calls']): Fault[] {
  return calls.flatMap(({ call, nth }) =>
    ERRORS[call].flatMap((action) => [
      { call, nth, action },
      ...(action === 'ENOSPC' ? [{ call, nth, action, persistent: true }] : []),
    ]),
  );
}

function judge(scenario: string, { fault, injected, failure, problems }: FailedCall, sum: SystemCallSummary) {
  sum.faults++;
  if (injected > 0) sum.injected++;
  if (failure === undefined) sum.acknowledged++;
  else sum.refused++;
  const at = fault === null ? 'without a fault' : nameOf(fault);
  for (const problem of problems) sum.violations.push(`${scenario}, ${at}: ${problem}`);
}

async function tryScenario(
  template: string,
  scenario: string,
  { most, random }: SystemCallCampaign,
  sum: SystemCallSummary,
): Promise<void> {
  await inFolder(async (folder) => {
    const { environment } = new FailingCalls(join(folder, 'orders'));
    const tryAll = async (faults: readonly (Fault | null)[]): Promise<FailedCall[]> => {
      const results: FailedCall[] = [];
      while (results.length < faults.length) {
        const rest = faults.slice(results.length);
        const child = startChild<'system-calls', FailedCall>(
          'system-calls',
          { template, scenario, faults: rest },
          { environment },
        );
        const { code, signal, errors } = await child.exit;
        results.push(...child.messages);
        if (child.messages.length === rest.length && code === 0) break;
        const fault = rest[child.messages.length] ?? null;
        const problems = [`the process died (${signal ?? code}): ${errors.slice(-500)}`];
        results.push({ fault, injected: 1, calls: [], problems });
      }
      return results;
    };
    const [plain] = await tryAll([null]);
    if (plain!.failure !== undefined || plain!.problems.length > 0)
      throw new Error(
        `${scenario} fails without a fault: ${plain!.failure?.message ?? plain!.problems.join('; ')}`,
      );
    const all = faultsOf(plain!.calls);
    const chosen = most === undefined ? all : sample(all, most, random);
    for (const result of await tryAll(chosen)) judge(scenario, result, sum);
  });
}

function sample<T>(all: readonly T[], most: number, random: Chance): T[] {
  const rest = [...all];
  return Array.from({ length: Math.min(most, rest.length) }, () =>
    rest.splice(random.between(0, rest.length - 1), 1),
  ).flat();
}

export async function runSystemCalls(campaign: SystemCallCampaign): Promise<SystemCallSummary> {
  const { only, onProgress } = campaign;
  const sum: SystemCallSummary = { faults: 0, injected: 0, acknowledged: 0, refused: 0, violations: [] };
  await inFolder(async (folder) => {
    const template = join(folder, 'template');
    await prepare(template);
    const queue = SCENARIOS.map(({ name }) => name).filter((name) => only?.includes(name) ?? true);
    const lane = async (): Promise<void> => {
      for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
        await tryScenario(template, name, campaign, sum);
        onProgress?.(name, sum);
      }
    };
    // Two at a time: the machines that run this have two cores.
    await Promise.all([lane(), lane()]);
  });
  return sum;
}

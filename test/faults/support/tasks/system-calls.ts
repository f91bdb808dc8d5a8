/** One scenario again and again, each time on a fresh copy of a workspace and with another system call that fails. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceDoctor } from '../../../../src/administration/doctor.ts';
import { FailingCalls, type Fault } from '../failing-calls.ts';
import { type Failure, failureOf, report } from '../report.ts';
import { missing, SCENARIOS, type Scenario } from '../system-call-scenarios.ts';
import { inFolder } from '../workspace.ts';

export interface SystemCallsOptions {
  readonly template: string;
  readonly scenario: string;
  /** Undefined: nothing fails, calls are counted. */
  readonly faults: readonly (Fault | null)[];
}

export interface FailedCall {
  readonly fault: Fault | null;
  readonly injected: number;
  readonly calls: FailingCalls['calls'];
  /** Undefined where the call was acknowledged. */
  readonly failure?: Failure;
  /** What must not be so. */
  readonly problems: readonly string[];
}

const TOO_LONG_MS = 30_000;
/** What a broken disk may be called. */
const EXPECTED = ['STORAGE_FULL', 'STORAGE_FAILED', 'PERMISSION', 'CORRUPT'];
/** A configuration that may not be read is an error of the configuration, like one that is missing. */
const isExpected = ({ code, message }: Failure): boolean =>
  EXPECTED.includes(code) || (code === 'INVALID_CONFIG' && message.includes('permission to read'));

async function attempt(work: Promise<unknown>): Promise<Failure | undefined> {
  const late = new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`It took longer than ${TOO_LONG_MS} ms.`)), TOO_LONG_MS).unref();
  });
  try {
    await Promise.race([work, late]);
    return undefined;
  } catch (error) {
    return failureOf(error);
  }
}

async function problemsAfter(
  workspace: string,
  { act, happened }: Scenario,
  failure?: Failure,
): Promise<string[]> {
  const problems: string[] = [];
  if (failure === undefined) {
    if (!(await happened(workspace))) problems.push('it was acknowledged and is not there');
  } else if (!isExpected(failure)) problems.push(`${failure.code}: ${failure.message}`);
  else if (!/\w/.test(failure.hint ?? '')) problems.push(`no hint: ${failure.message}`);
  for (const lost of await missing(workspace)) problems.push(`lost: ${lost}`);
  const program = { version: '0.0.0', oldestNode: '22.14.0' };
  const { findings } = await workspaceDoctor({ workspace, fix: false, now: Date.now(), program });
  for (const { severity, message } of findings)
    if (severity === 'problem') problems.push(`doctor: ${message}`);
  // What failed at the last step may be in effect all the same.
  if (await happened(workspace)) return problems;
  const again = await attempt(act(workspace));
  if (again !== undefined) problems.push(`not possible afterwards: ${again.code} ${again.message}`);
  else if (!(await happened(workspace))) problems.push('done again afterwards, it is not there');
  return problems;
}

export async function run({ template, scenario: name, faults }: SystemCallsOptions): Promise<void> {
  const scenario = SCENARIOS.find((each) => each.name === name)!;
  const failing = FailingCalls.ofThisProcess();
  for (const fault of faults) {
    await inFolder(async (folder) => {
      const workspace = join(folder, 'workspace');
      cpSync(template, workspace, { recursive: true });
      failing.arm(`${workspace}/`, fault ?? undefined);
      const failure = await attempt(scenario.act(workspace));
      const { injected, calls } = failing;
      failing.disarm();
      const problems = await problemsAfter(workspace, scenario, failure).catch((error: unknown) => [
        `looking at it failed: ${failureOf(error).message}`,
      ]);
      report({
        ...{ fault, injected, problems, calls: fault === null ? calls : [] },
        ...(failure === undefined ? {} : { failure }),
      } satisfies FailedCall);
    });
  }
}

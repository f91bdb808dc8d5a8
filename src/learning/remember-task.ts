/** Stores the outcome of a task as a record; repeated tasks share one record. */

import { createHash } from 'node:crypto';
import { stripInjected } from '../context/index.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import { toKeepsakeError } from '../kernel/errors.ts';
import type { MemoryRecord } from '../kernel/record.ts';
import type { RecordService } from '../records/index.ts';
import type { Problem } from './policy.ts';
import { renewedExpiry } from './renewal.ts';
import { clip } from './transcript.ts';

export interface TaskInput {
  readonly task: string;
  readonly outcome: 'completed' | 'failed';
  readonly output?: string | undefined;
  /** What went wrong. */
  readonly error?: string | undefined;
  /** Started by a schedule: dates and numbers in the task do not make it another one. */
  readonly isAutomatic?: boolean | undefined;
  readonly session?: string | undefined;
  readonly records: RecordService;
  readonly caller: Caller;
  readonly clock: Clock;
}

export interface TaskReport {
  readonly id: string | null;
  readonly outcome: 'added' | 'updated' | 'skipped';
  readonly problem?: Problem;
}

const LONGEST_TASK = 500;
const LONGEST_OUTPUT = 2_000;
const LONGEST_ERROR = 1_000;

/** Never throws: that the result could not be kept does not make the task fail. */
export async function rememberTask(input: TaskInput): Promise<TaskReport> {
  try {
    return await remember(input);
  } catch (error) {
    const { code, message } = toKeepsakeError(error);
    return { id: null, outcome: 'skipped', problem: { code, message } };
  }
}

async function remember(input: TaskInput): Promise<TaskReport> {
  const { outcome, records, clock, session } = input;
  const task = stripInjected(input.task).trim();
  if (task === '') return { id: null, outcome: 'skipped' };
  const caller: Caller = { ...input.caller, via: 'system', ...defined({ session }) };
  const content = contentOf(task, input);
  const thread = threadOf(task, input.isAutomatic === true);
  const now = clock.now();
  const known = await sameOutcome(records, thread, outcome, caller);
  const runs = Number(known?.metadata.runs ?? 0) + 1;
  const metadata = { outcome, runs, lastRun: now, ...defined({ session }) };
  if (known !== undefined) {
    const { id } = await records.update(
      { id: known.id, content, metadata, expiresAt: renewedExpiry(known, now), origin: 'agent' },
      caller,
    );
    return { id, outcome: 'updated' };
  }
  const category = outcome === 'failed' ? 'failed_task' : 'task';
  const { id } = await records.add(
    { content, category, thread, metadata, source: 'task_completion', origin: 'agent' },
    caller,
  );
  return { id, outcome: 'added' };
}

function contentOf(task: string, { outcome, output = '', error = '' }: TaskInput): string {
  const result = clip(output.trim(), LONGEST_OUTPUT);
  const lines =
    outcome === 'completed'
      ? [`Task completed: ${clip(task, LONGEST_TASK)}`, result === '' ? '' : `Result: ${result}`]
      : [
          `Task failed: ${clip(task, LONGEST_TASK)}`,
          `What went wrong: ${clip(error.trim(), LONGEST_ERROR) || 'unknown'}`,
          result === '' ? '' : `Output until then: ${result}`,
        ];
  return lines.filter((line) => line !== '').join('\n');
}

/** All runs of one task share a thread, by which its record is found again. */
function threadOf(task: string, isAutomatic: boolean): string {
  const plain = task.toLowerCase().replace(/\s+/gu, ' ');
  const same = isAutomatic ? plain.replace(/\d+/g, '#') : plain;
  return `task:${createHash('sha256').update(same).digest('hex').slice(0, 32)}`;
}

async function sameOutcome(
  records: RecordService,
  thread: string,
  outcome: string,
  caller: Caller,
): Promise<MemoryRecord | undefined> {
  const found = await records.list({ source: 'task_completion', thread }, caller);
  return found.find(({ agent, metadata }) => agent === caller.viewer.agent && metadata.outcome === outcome);
}

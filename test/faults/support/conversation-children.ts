/** Starts children of the conversation tests: real processes on the pinned Node, which report in lines of JSON. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ChildOptions, ChildTask } from './conversation-child.ts';
import { programOf } from './program.ts';

const PROGRAM = programOf('conversation-child');
/** Many processes load the same sources; compiled once, each starts in half the time. */
const COMPILE_CACHE = fileURLToPath(new URL('../../../node_modules/.cache/keepsake-faults', import.meta.url));

export type Report = Readonly<Record<string, unknown>>;

export interface ConversationChild {
  readonly process: ChildProcess;
  /** Everything that it reported; a line that was cut off by a kill is none. */
  readonly reports: readonly Report[];
  readonly exit: Promise<{ readonly code: number | null; readonly errors: string }>;
}

export function startChild(
  task: ChildTask,
  options: ChildOptions,
  onReport: (report: Report) => void = () => {},
  under: readonly string[] = [],
): ConversationChild {
  const [command, ...parameters] = [...under, process.execPath, PROGRAM, task, JSON.stringify(options)];
  const child = spawn(command!, parameters, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  const reports: Report[] = [];
  let rest = '';
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const report = JSON.parse(line) as Report;
      reports.push(report);
      onReport(report);
    }
  });
  const exit = new Promise<{ code: number | null; errors: string }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, errors }));
  });
  return { process: child, reports, exit };
}

/** Runs a child to its end; one that fails is an error. */
export async function runChild(
  task: ChildTask,
  options: ChildOptions,
  under: readonly string[] = [],
): Promise<readonly Report[]> {
  const child = startChild(task, options, undefined, under);
  const { code, errors } = await child.exit;
  if (code !== 0) throw new Error(`The child ${task} failed (${code}): ${errors}`);
  return child.reports;
}

/** Starts processes that run an agent, and hears what they report. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { programOf } from '../../faults/support/program.ts';
import type { AgentChildOptions } from './agent-child.ts';

const PROGRAM = programOf('agent-child', import.meta.dirname);
/** Many processes load the same sources; compiled once, each starts in half the time. */
const COMPILE_CACHE = fileURLToPath(new URL('../../../node_modules/.cache/keepsake-e2e', import.meta.url));

export interface AgentReport {
  readonly answer?: string;
  readonly text?: string;
  readonly recalled?: number;
  readonly hanging?: true;
  readonly failure?: { readonly code: string; readonly message: string; readonly hint: string | null };
}

export interface AgentChild {
  readonly process: ChildProcess;
  readonly reports: readonly AgentReport[];
  /** Resolves with the reports when the process has ended. */
  readonly ended: Promise<readonly AgentReport[]>;
}

export function startAgent(
  options: AgentChildOptions,
  onReport: (report: AgentReport) => void = () => {},
): AgentChild {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  const reports: AgentReport[] = [];
  let rest = '';
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const report = JSON.parse(line) as AgentReport;
      reports.push(report);
      onReport(report);
    }
  });
  const ended = new Promise<readonly AgentReport[]>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0 || signal === 'SIGKILL') resolve(reports);
      else reject(new Error(`The agent's process failed (${code}): ${errors}`));
    });
  });
  return { process: child, reports, ended };
}

export const runAgent = (options: AgentChildOptions): Promise<readonly AgentReport[]> =>
  startAgent(options).ended;

/** The demonstration: one process stores a memory and is killed, another one finds it. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { KeepsakeError } from '../../../../kernel/errors.ts';
import type { MemoryRecord } from '../../../../kernel/record.ts';
import { packageFile } from '../../../../runtime/package-root.ts';

export interface Crash {
  readonly memory: MemoryRecord;
  readonly pid: number;
  readonly signal: string;
}

function start(args: readonly string[]): ChildProcessByStdio<Writable, Readable, null> {
  return spawn(process.execPath, [packageFile('bin/keepsake.js'), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

function failed(what: string): KeepsakeError {
  return new KeepsakeError('INTERNAL', `The demonstration failed: ${what}.`, {
    hint: 'Run "keepsake doctor" to see whether the workspace is well.',
  });
}

/** Starts a writer, waits for the one line that acknowledges its write, and kills it at once. */
export async function storeAndKill(workspace: string): Promise<Crash> {
  const child = start(['demo', '--as-writer', '--workspace', workspace]);
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: line } = await lines.next();
  child.kill('SIGKILL');
  const [, signal] = await exited;
  if (line === undefined) throw failed('the first process ended before it had stored anything');
  return { memory: JSON.parse(line) as MemoryRecord, pid: child.pid!, signal: String(signal) };
}

/** Runs a command in a process of its own and resolves to what it printed as JSON. */
export async function ask(args: readonly string[]): Promise<{ answer: unknown; pid: number }> {
  const child = start([...args, '--json']);
  child.stdin.end();
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw failed(`the second process ended with exit code ${code}`);
  return { answer: JSON.parse(text), pid: child.pid! };
}

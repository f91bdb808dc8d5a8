/** The program on a real terminal: waits for what the screen shows, then presses keys or does something else. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { program } from '../../surfaces/cli/support/run-cli.ts';

/** A pattern that the screen has to show since the last step, and what is done then. */
export type Step = readonly [shows: RegExp, act: string | ((tty: string) => Promise<unknown>)];

export interface TerminalRun {
  readonly code: number;
  /** Everything that was written, with its control sequences. */
  readonly screen: string;
  /** What was written after each step, until the next one. */
  readonly parts: readonly string[];
  /** Steps that were never reached. */
  readonly left: readonly Step[];
}

export async function onTerminal(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  steps: readonly Step[],
): Promise<TerminalRun> {
  const { PATH = '' } = process.env;
  const command = [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', `tty; exec ${command}`, '/dev/null'], {
    cwd,
    env: { PATH, HOME: cwd, TERM: 'xterm-256color', NO_COLOR: '1', ...env },
  });
  const parts = [''];
  const left = [...steps];
  let busy = false;
  const look = async (): Promise<void> => {
    const [step] = left;
    if (busy || step === undefined || !step[0].test(parts.at(-1)!)) return;
    busy = true;
    left.shift();
    parts.push('');
    const tty = /\/dev\/\S+/.exec(parts[0]!)?.[0] ?? '';
    if (typeof step[1] === 'string') child.stdin.write(step[1]);
    else await step[1](tty);
    busy = false;
    await look();
  };
  child.stdout.on('data', (part: Buffer) => {
    parts.push(parts.pop()! + part);
    void look();
  });
  const [code] = await once(child, 'close');
  return { code, screen: parts.join(''), parts, left };
}

/** Starts the child programs of these tests: real processes on the pinned Node, which report in lines of JSON. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TaskName, TaskOptions } from './child.ts';
import { programOf } from './program.ts';

const PROGRAM = programOf('child');
/** Hundreds of processes load the same sources; compiled once, each starts in half the time. */
const COMPILE_CACHE = fileURLToPath(new URL('../../../node_modules/.cache/keepsake-faults', import.meta.url));

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly errors: string;
}

export interface Child<Message> {
  readonly process: ChildProcess;
  /** Every message so far, in order. A line that was cut off by a kill was never a message. */
  readonly messages: readonly Message[];
  /** Resolves when the process is gone and everything it said has been read. */
  readonly exit: Promise<Exit>;
  /** Resolves with the first message, also an earlier one, that fits; fails when the child ends without one. */
  until(fits: (message: Message) => boolean): Promise<Message>;
  send(line: string): void;
}

export interface StartOptions<Message> {
  /** A program that runs the child, with its arguments, for example strace. */
  readonly under?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly onMessage?: (message: Message) => void;
}

export function startChild<Name extends TaskName, Message = Record<string, unknown>>(
  name: Name,
  options: TaskOptions<Name>,
  { under = [], environment = {}, onMessage }: StartOptions<Message> = {},
): Child<Message> {
  const [command, ...parameters] = [...under, process.execPath, PROGRAM, name, JSON.stringify(options)];
  const child = spawn(command!, parameters, {
    stdio: 'pipe',
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE, ...environment },
  });
  // A child that is killed no longer reads what is sent to it.
  child.stdin.on('error', () => {});
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  let errors = '';
  let rest = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
      messages.push(message);
      onMessage?.(message);
    }
    for (const look of [...waiting]) look();
  });
  const exit = new Promise<Exit>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, errors }));
  });
  const until = (fits: (message: Message) => boolean): Promise<Message> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = messages.find(fits);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
      exit.then(
        ({ code, signal }) =>
          reject(new Error(`The child ${name} ended too soon (${signal ?? code}): ${errors}`)),
        reject,
      );
    });
  return { process: child, messages, exit, until, send: (line) => child.stdin.write(`${line}\n`) };
}

/** Runs a child to its end and returns what it said; a child that fails is an error. */
export async function runChild<Name extends TaskName, Message = Record<string, unknown>>(
  name: Name,
  options: TaskOptions<Name>,
  start: StartOptions<Message> = {},
): Promise<readonly Message[]> {
  const child = startChild<Name, Message>(name, options, start);
  const { code, signal, errors } = await child.exit;
  if (code !== 0) throw new Error(`The child ${name} failed (${signal ?? code}): ${errors}`);
  return child.messages;
}

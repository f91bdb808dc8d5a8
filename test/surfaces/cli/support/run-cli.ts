/** Runs the built program in real processes, with and without a terminal, away from the settings of whoever runs the tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { workspaceInit } from '../../../../src/administration/init.ts';

const root = join(import.meta.dirname, '../../../..');
export const program = join(root, 'bin/keepsake.js');

export interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** Program and arguments to put in front, for example `setpriv …`. */
  readonly prefix?: readonly string[];
}

function environment(cwd: string, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = '' } = process.env;
  return { PATH, HOME: join(cwd, 'home'), LANG: 'C.UTF-8', TERM: 'xterm-256color', ...extra };
}

export function startCli(args: readonly string[], { cwd, env, prefix = [] }: RunOptions): ChildProcess {
  const [command, ...rest] = [...prefix, process.execPath, program, ...args];
  return spawn(command!, rest, { cwd, env: environment(cwd, env) });
}

async function collect(child: ChildProcess): Promise<Run> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (part: Buffer) => out.push(part));
  child.stderr?.on('data', (part: Buffer) => err.push(part));
  const [code, signal] = await once(child, 'close');
  return { code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
}

export async function runCli(args: readonly string[], options: RunOptions): Promise<Run> {
  const child = startCli(args, options);
  // A program that refuses early closes its end.
  child.stdin?.on('error', () => {});
  child.stdin?.end(options.stdin ?? '');
  return collect(child);
}

/** Runs it on a terminal of a given width; what it prints on both streams arrives mixed, as a person sees it. */
export async function runOnTerminal(
  args: readonly string[],
  options: RunOptions & { readonly columns?: number; readonly answer?: string },
): Promise<{ code: number | null; screen: string }> {
  const words = [process.execPath, program, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const line = `stty cols ${options.columns ?? 80} rows 24; ${words.join(' ')}`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: options.cwd,
    env: environment(options.cwd, options.env),
  });
  const { answer } = options;
  if (answer === undefined) child.stdin.end();
  else child.stdout.on('data', (part: Buffer) => part.includes('[y/N]') && child.stdin.write(answer));
  const { code, stdout } = await collect(child);
  return { code, screen: stdout.replaceAll('\r\n', '\n') };
}

/** A command that must succeed, with its JSON. */
export async function json<T>(args: readonly string[], options: RunOptions): Promise<T> {
  const { code, stdout, stderr } = await runCli([...args, '--json'], options);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout) as T;
}

/** A folder of its own, gone after the test. Anyone may enter it, so that another user can be tried. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-cli-')));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A workspace in a folder of its own, as `keepsake init` makes it. */
export function temporaryWorkspace(): string {
  const cwd = temporaryFolder();
  workspaceInit({ folder: cwd, name: 'default-agent' });
  return cwd;
}

/** Takes permissions of a folder away for one test. */
export function restrict(folder: string, mode: number): void {
  chmodSync(folder, mode);
  onTestFinished(() => chmodSync(folder, 0o755));
}

/** What to put in front of a command so that modes apply to it: root ignores them. */
export const withoutRoot: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];

/** Every file below a folder with what is in it. SQLite's own side files hold nothing once everyone has left. */
export function everything(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/-(wal|shm)$/.test(name))
    .sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      statSync(join(folder, name)).isFile() ? readFileSync(join(folder, name), 'latin1') : '',
    ]),
  );
}

/** A reader at work: a workspace, an environment, a shell, and servers that run until the page ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { POSTGRES_BIN } from '../../../scripts/setup/pgvector.mjs';
import { workspaceInit } from '../../../src/administration/init.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { programsOnPath } from './programs-on-path.ts';

export interface Said {
  readonly line: string;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Both, as a person sees them. */
export const textOf = ({ stdout, stderr }: Said): string => `${stdout}${stderr}`.trim();

export class World {
  /** Where the reader is. */
  cwd: string;
  readonly env: Record<string, string> = {};
  /** Everything that was typed so far, with what came of it. */
  readonly said: Said[] = [];
  readonly #running: ChildProcess[] = [];
  readonly #ending: ChildProcess[] = [];

  constructor() {
    this.cwd = this.workspace();
    onTestFinished(() => {
      for (const child of [...this.#running, ...this.#ending]) child.kill('SIGKILL');
    });
  }

  /** A new one, found from its folder, as after `keepsake init`. */
  workspace(): string {
    const folder = temporaryFolder();
    workspaceInit({ folder });
    mkdirSync(join(folder, 'home'));
    return folder;
  }

  write(name: string, text: string | Uint8Array): void {
    mkdirSync(dirname(join(this.cwd, name)), { recursive: true });
    writeFileSync(join(this.cwd, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.cwd, name), 'utf8');
  }

  /** Types a line into a shell and waits until it is done. */
  async type(line: string, stdin = ''): Promise<Said> {
    return this.#await(line, this.#spawn('sh', ['-c', line]), stdin);
  }

  /** Runs a program of a page; what it imports is where "npm i" would have put it. */
  async program(text: string): Promise<Said> {
    const folder = temporaryFolder();
    symlinkSync(programsOnPath().modules, join(folder, 'node_modules'));
    writeFileSync(join(folder, 'program.ts'), text);
    return this.#await('node program.ts', this.#spawn(process.execPath, [join(folder, 'program.ts')]), '');
  }

  /** For what runs until somebody ends it: types the line and waits until it has said that it is ready. */
  async start(
    line: string,
    isReady: (stdout: string) => boolean,
    { endsItself = false }: { readonly endsItself?: boolean } = {},
  ): Promise<Said> {
    const child = this.#spawn('sh', ['-c', `exec ${line}`]);
    (endsItself ? this.#ending : this.#running).push(child);
    const heard = collect(child);
    await new Promise<void>((resolve, reject) => {
      child.stdout!.on('data', () => isReady(heard.stdout) && resolve());
      child.on('close', (code) =>
        reject(new Error(`${line} ended with ${code}: ${heard.stdout}${heard.stderr}`)),
      );
    });
    return this.#note({ line, code: null, ...heard });
  }

  /** Ctrl-C for everything that would run on; the exit codes of all. */
  async stop(): Promise<(number | null)[]> {
    for (const child of this.#running) child.kill('SIGINT');
    const all = [...this.#running.splice(0), ...this.#ending.splice(0)];
    return Promise.all(
      all.map(async (child) => {
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
        return child.exitCode;
      }),
    );
  }

  #spawn(command: string, args: readonly string[]): ChildProcess {
    const PATH = [programsOnPath().bin, dirname(process.execPath), POSTGRES_BIN, '/usr/bin', '/bin'].join(
      delimiter,
    );
    const home = join(this.cwd, 'home');
    const env = { PATH, HOME: home, LANG: 'C.UTF-8', TZ: process.env.TZ ?? '', ...this.env };
    return spawn(command, args, { cwd: this.cwd, env });
  }

  async #await(line: string, child: ChildProcess, stdin: string): Promise<Said> {
    const heard = collect(child);
    // A program that refuses early closes its end.
    child.stdin!.on('error', () => {});
    child.stdin!.end(stdin);
    const [code] = (await once(child, 'close')) as [number | null];
    return this.#note({ line, code, ...heard });
  }

  #note(said: Said): Said {
    this.said.push(said);
    return said;
  }
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const heard = { stdout: '', stderr: '' };
  child.stdout!.setEncoding('utf8').on('data', (part: string) => (heard.stdout += part));
  child.stderr!.setEncoding('utf8').on('data', (part: string) => (heard.stderr += part));
  return heard;
}

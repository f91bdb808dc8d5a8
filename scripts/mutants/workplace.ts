/** A copy of the tree in memory, in which sources are changed and tests run; the work tree itself is never touched. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const IN_MEMORY = '/dev/shm';

export const memoryFolder = (): string => (existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir());

/** Tracked and new files, without what git ignores. */
export function filesOf(root: string): string[] {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return stdout.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
}

/** The same for the same content of these files. */
export function digestOf(root: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Tests that are slow, need servers or look at the sources themselves are not asked. */
const LEFT_OUT = [
  ...['browser', 'e2e', 'faults', 'property', 'docs', 'architecture', 'scripts', 'models/onnx/real'],
  ...['drivers/postgres', 'drivers/qdrant', 'drivers/redis'],
];

export function isAsked(file: string): boolean {
  if (!/^test\/.+\/.+\.test\.ts$/.test(file)) return false;
  return !LEFT_OUT.some((folder) => file.startsWith(`test/${folder}/`));
}

const CONFIG = 'vitest.mutants.config.mjs';

const config = (setupFiles: readonly string[]) => `export default {
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ${JSON.stringify(setupFiles)},
    pool: 'forks', isolate: false, testTimeout: 30_000, hookTimeout: 30_000,
    maxWorkers: Number(process.env.KEEPSAKE_MUTANTS_WORKERS ?? 1),
    experimental: { fsModuleCache: true },
  },
};
`;

export interface TestRun {
  /** Whether all tests passed. */
  readonly passed: boolean;
  readonly timedOut: boolean;
  readonly output: string;
}

export class Workplace {
  readonly folder: string;
  /** For what tests write: outside of the copy, which looks like a project of its own. */
  readonly scratch: string;

  /** Groups of processes; none may outlive this one. */
  readonly #running = new Set<number>();

  constructor(root: string, setupFiles: readonly string[] = []) {
    this.folder = mkdtempSync(join(memoryFolder(), 'km-'));
    for (const file of filesOf(root)) {
      mkdirSync(join(this.folder, dirname(file)), { recursive: true });
      cpSync(join(root, file), join(this.folder, file), { dereference: false });
    }
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
    this.scratch = mkdtempSync(join(memoryFolder(), 'kt-'));
    // Some programs that tests start run as somebody else.
    chmodSync(this.scratch, 0o1777);
    this.write(CONFIG, config(setupFiles));
    process.once('exit', () => this.close());
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** All tests, or only these files. A run that takes too long is ended with all that it started. */
  async test(
    files: readonly string[],
    {
      timeoutMs,
      env = {},
      args = [],
    }: { timeoutMs: number; env?: NodeJS.ProcessEnv; args?: readonly string[] },
  ): Promise<TestRun> {
    const command = ['node_modules/vitest/vitest.mjs', 'run', '--config', CONFIG, ...args, ...files];
    const child = spawn(process.execPath, command, {
      cwd: this.folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env, TMPDIR: this.scratch, NO_COLOR: '1', FORCE_COLOR: '0' },
    });
    this.#running.add(child.pid!);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      // The whole group: a test that never ends does so in a process of its own.
      process.kill(-child.pid!, 'SIGKILL');
    }, timeoutMs);
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    clearTimeout(timer);
    this.#running.delete(child.pid!);
    return { passed: code === 0, timedOut, output };
  }

  close(): void {
    for (const group of this.#running) process.kill(-group, 'SIGKILL');
    for (const folder of [this.folder, this.scratch]) {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

/** Lets the n-th call of a process on its database fail, or kill it there: a small library that is loaded before libc. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The calls by which SQLite reads and changes files, and those that only Node makes; in the order of the library. */
const CALLS = [
  ...(['pread64', 'pwrite64', 'fsync', 'fdatasync', 'ftruncate', 'unlink'] as const),
  ...(['open', 'read', 'write', 'rename', 'link', 'mkdir'] as const),
] as const;
export type Call = (typeof CALLS)[number];
/** Those of SQLite. Between two of them a kill finds the same bytes on disk. */
export const WRITING_CALLS: readonly Call[] = ['pwrite64', 'fsync', 'fdatasync', 'ftruncate', 'unlink'];

export interface Fault {
  readonly call: Call;
  /** Counts from 1. */
  readonly nth: number;
  /** From the n-th on all calls fail, as on a broken or full disk, and not only that one. */
  readonly persistent?: boolean;
  readonly action: 'EIO' | 'ENOSPC' | 'EACCES' | 'EMFILE' | 'SIGKILL';
}

export const nameOf = ({ call, nth, persistent = false, action }: Fault): string =>
  `${action} at ${call} ${nth}${persistent ? ' and all later ones' : ''}`;

const NUMBER = Int32Array.BYTES_PER_ELEMENT;
const PATH = 1_024;
/** armed, call, nth, persistent, error, injected; then one count for each call, and two paths. */
const HEAD = 6;
const SIZE = (HEAD + CALLS.length) * NUMBER + 2 * PATH;

const ORDERS = 'KEEPSAKE_FAILING_CALLS';
const SOURCE = fileURLToPath(new URL('failing-calls.c', import.meta.url));

/** Compiled once for all runs. Throws a sentence that says what to do: a proof that cannot run must not look like one that held. */
function library(): string {
  const hash = createHash('sha256').update(readFileSync(SOURCE)).digest('hex').slice(0, 12);
  const cache = fileURLToPath(new URL('../../../node_modules/.cache/keepsake-faults/', import.meta.url));
  const file = join(cache, `failing-calls-${hash}.so`);
  if (existsSync(file)) return file;
  mkdirSync(cache, { recursive: true });
  const fresh = `${file}.${process.pid}`;
  const { error, status, stderr } = spawnSync(
    'cc',
    ['-shared', '-fPIC', '-O1', '-Wall', '-Werror', '-o', fresh, SOURCE, '-ldl'],
    { encoding: 'utf8' },
  );
  if (error !== undefined)
    throw new Error('There is no C compiler: run "apt-get install build-essential"; fault tests need it.');
  if (status !== 0) throw new Error(`The library that injects faults does not compile: ${stderr}`);
  renameSync(fresh, file);
  return file;
}

/** The orders that a process gets, in a file that it maps. */
export class FailingCalls {
  readonly #file: string;

  /** In the process itself: the orders that it was started with. */
  static ofThisProcess(): FailingCalls {
    const { [ORDERS]: file } = process.env;
    if (file === undefined) throw new Error('This process was not started with FailingCalls.environment.');
    return new FailingCalls(file);
  }

  constructor(file: string) {
    this.#file = file;
    if (!existsSync(file)) this.#write(Buffer.alloc(SIZE));
  }

  /** What a process has to be started with. */
  get environment(): Record<string, string> {
    return { LD_PRELOAD: library(), [ORDERS]: this.#file };
  }

  /** Counts calls on the database, or in a folder if its name ends in a slash, and lets one fail if there is a fault. */
  arm(database: string, fault?: Fault): void {
    const orders = Buffer.alloc(SIZE);
    const numbers = fault === undefined ? [0, 0, 0, 0] : numbersOf(fault);
    for (const [i, number] of [1, ...numbers].entries()) orders.writeInt32LE(number, i * NUMBER);
    const paths = (HEAD + CALLS.length) * NUMBER;
    orders.write(database, paths);
    orders.write(dirname(database), paths + PATH);
    this.#write(orders);
  }

  disarm(): void {
    this.#write(Buffer.alloc(NUMBER));
  }

  get injected(): number {
    return this.#read().readInt32LE((HEAD - 1) * NUMBER);
  }

  /** Every call that was counted, with its number among the calls of its name. */
  get calls(): { readonly call: Call; readonly nth: number }[] {
    const orders = this.#read();
    return CALLS.flatMap((call, i) =>
      Array.from({ length: orders.readInt32LE((HEAD + i) * NUMBER) }, (_, n) => ({ call, nth: n + 1 })),
    );
  }

  #write(bytes: Buffer): void {
    // Not truncated: the process has it mapped.
    const handle = openSync(this.#file, existsSync(this.#file) ? 'r+' : 'w');
    writeSync(handle, bytes);
    closeSync(handle);
  }

  #read(): Buffer {
    const bytes = Buffer.alloc(SIZE);
    const handle = openSync(this.#file, 'r');
    readSync(handle, bytes);
    closeSync(handle);
    return bytes;
  }
}

function numbersOf({ call, nth, persistent = false, action }: Fault): number[] {
  const error = action === 'SIGKILL' ? 0 : constants.errno[action];
  return [CALLS.indexOf(call), nth, Number(persistent), error];
}

/** Two at a time: the machines that run these tests have two cores. */
export async function sweep<T>(cases: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const queue = [...cases];
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next);
  };
  await Promise.all([lane(), lane()]);
}

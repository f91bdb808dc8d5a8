/** Lets the n-th system call of a child fail, or kill it: strace from Debian, on the real program and the real file system. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

export const TRACER = 'strace';

/** The calls by which SQLite changes files. Between two of them a kill finds the same bytes on disk. */
export const WRITING_CALLS = ['pwrite64', 'fsync', 'fdatasync', 'ftruncate', 'unlink'] as const;
export type Call = (typeof WRITING_CALLS)[number] | 'pread64';

export interface Fault {
  readonly call: Call;
  /** Counts from 1. */
  readonly nth: number;
  /** From the n-th on all calls fail, as on a broken or full disk, and not only that one. */
  readonly persistent?: boolean;
  readonly action: 'EIO' | 'ENOSPC' | 'SIGKILL';
}

export const nameOf = ({ call, nth, persistent = false, action }: Fault): string =>
  `${action} at ${call} ${nth}${persistent ? ' and all later ones' : ''}`;

/** Throws a sentence that says what to do: a proof that cannot run must not look like one that held. */
export function requireTracer(): void {
  const { error, status, stderr } = spawnSync(TRACER, ['-f', '-o', '/dev/null', 'true'], {
    encoding: 'utf8',
  });
  if (error !== undefined) {
    throw new Error('strace is missing: run "apt-get install strace"; these tests inject faults with it.');
  }
  if (status !== 0) throw new Error(`strace may not trace processes here (ptrace is forbidden): ${stderr}`);
}

/** Only calls on the files of one database count: Node makes the same ones on files of its own. */
function onDatabase(file: string): string[] {
  return [file, `${file}-wal`, `${file}-shm`, `${file}-journal`, dirname(file)].flatMap((path) => [
    '-P',
    path,
  ]);
}

/** Writes to `log` which calls the child makes on the database. */
export function traced(file: string, calls: readonly Call[], log: string): string[] {
  return [TRACER, '-f', '--seccomp-bpf', '-o', log, '-e', `trace=${calls.join()}`, ...onDatabase(file)];
}

export function withFault(
  { call, nth, persistent = false, action }: Fault,
  file: string,
  log: string,
): string[] {
  const when = `when=${nth}${persistent ? '+' : ''}`;
  const what = action === 'SIGKILL' ? 'signal=SIGKILL' : `error=${action}`;
  const tracing = traced(file, [call], log);
  return [
    // The filter that makes tracing cheap lets injected signals pass without delivering them.
    ...(action === 'SIGKILL' ? tracing.filter((word) => word !== '--seccomp-bpf') : tracing),
    '-e',
    `inject=${call}:${what}:${when}`,
  ];
}

/** Stops the child for a while before its n-th call. */
export function withDelay(
  { call, nth, milliseconds }: { call: Call; nth: number; milliseconds: number },
  file: string,
  log: string,
): string[] {
  return [
    ...traced(file, [call], log),
    '-e',
    `inject=${call}:delay_enter=${milliseconds * 1_000}:when=${nth}`,
  ];
}

/** Each call in a log, with its number among the calls of that name. */
export function callsIn(log: string): { readonly call: Call; readonly nth: number }[] {
  const counts = new Map<string, number>();
  return [...readFileSync(log, 'utf8').matchAll(/^\d+ +(\w+)\(/gm)].map(([, call]) => {
    const nth = (counts.get(call!) ?? 0) + 1;
    counts.set(call!, nth);
    return { call: call as Call, nth };
  });
}

export function wasInjected(log: string): boolean {
  return readFileSync(log, 'utf8').includes('(INJECTED)');
}

/** Two at a time: the machines that run these tests have two cores. */
export async function sweep<T>(cases: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const queue = [...cases];
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next);
  };
  await Promise.all([lane(), lane()]);
}

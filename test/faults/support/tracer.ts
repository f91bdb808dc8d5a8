/** Watches the system calls of a child, and stops it before one of them: strace from Debian, on the real program and the real file system. */
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import type { Call } from './failing-calls.ts';

export const TRACER = 'strace';

/** Throws a sentence that says what to do: a proof that cannot run must not look like one that held. */
export function requireTracer(): void {
  const { error, status, stderr } = spawnSync(TRACER, ['-f', '-o', '/dev/null', 'true'], {
    encoding: 'utf8',
  });
  if (error !== undefined) {
    throw new Error(
      'strace is missing: run "apt-get install strace"; these tests watch system calls with it.',
    );
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

/** Stops the child for a while before its n-th call. */
export function withDelay(
  { call, nth, milliseconds }: { call: Call; nth: number; milliseconds: number },
  file: string,
  log: string,
): string[] {
  return [
    ...[TRACER, '-f', '--seccomp-bpf', '-o', log, '-e', `trace=${call}`, ...onDatabase(file)],
    '-e',
    `inject=${call}:delay_enter=${milliseconds * 1_000}:when=${nth}`,
  ];
}

/** Small tools of the benchmarks: timing, medians, made-up texts, raw disk writes. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Beside the checkout and not in /tmp, which may be memory instead of a disk. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(process.cwd(), '.tmp-bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export async function microseconds(times: number, work: (i: number) => unknown): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < times; i++) await work(i);
  return ((performance.now() - start) * 1000) / times;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

const PAUSE_MS = 200;

/** Until nothing is being made in the background any more. */
export async function settled(): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    const before = process.cpuUsage();
    await sleep(PAUSE_MS);
    const { user, system } = process.cpuUsage(before);
    quiet = (user + system) / 1_000 < PAUSE_MS / 10 ? quiet + 1 : 0;
  }
}

/** Rounds to three significant digits: more would be noise. */
export const round = (value: number): number => Number(value.toPrecision(3));

/** One durable write as the disk itself can do it: 4 KiB appended and synced. */
export function rawAppend(folder: string): { readonly write: () => void; close(): void } {
  const handle = openSync(join(folder, 'raw'), 'a');
  const block = Buffer.alloc(4096, 7);
  return {
    write: () => {
      writeSync(handle, block);
      fdatasyncSync(handle);
    },
    close: () => closeSync(handle),
  };
}

const WORDS =
  `agent alpha answer archive backend branch budget build cache cloud column commit config customer deadline
deploy design disk draft engine error event export feature field file filter folder format friday gateway graph group header
history index input insert invoice issue latency layer ledger license limit list machine margin memory merge message metric
migration model module monday network node note number object office order owner package page parser patch path pipeline
plan platform policy port prefer profile project prompt query queue record region release report request retry review role
route schema scope search section server session signal source staging stream subject summary support table target team
tenant thread ticket token topic trace traffic trigger update upload user vector vendor version window worker zone`.split(
    /\s+/,
  );

/** Repeatable texts with the uneven spread of words that real ones have. */
export function textMaker(seed = 1): (words?: number) => string {
  let state = seed;
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return (words = 15) =>
    Array.from(
      { length: words },
      () =>
        `${WORDS[Math.floor(random() ** 2 * WORDS.length)]}${random() < 0.3 ? Math.floor(random() * 1000) : ''}`,
    ).join(' ');
}

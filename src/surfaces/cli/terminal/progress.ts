/** A progress bar on terminals; no output elsewhere. */
import type { Output } from '../output.ts';

export interface Progress {
  show(done: number, total: number): void;
  /** Removes the line. */
  end(): void;
}

const CELLS = 24;

function bar(percent: number): string {
  const full = Math.round((percent / 100) * CELLS);
  return `${'█'.repeat(full)}${'░'.repeat(CELLS - full)}`;
}

export interface ProgressOptions {
  /** What is counted: the line then says how many of how many, how many per second, and how long the rest will take. */
  readonly rate?: string;
}

const SECOND = 1_000;
const GUESS_MS = 200;

export function timeLeft(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s left`;
  if (seconds < 5_400) return `${Math.ceil(seconds / 60)} min left`;
  return `${(seconds / 3_600).toFixed(1)} h left`;
}

/** Nothing in the first moment, when it would be a guess. */
function pace(done: number, total: number, elapsedMs: number, unit: string): string {
  if (elapsedMs < GUESS_MS || done === 0) return '';
  const perSecond = (done / elapsedMs) * SECOND;
  const rate = perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond).toLocaleString('en');
  const count = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${unit}`;
  return `, ${count}, ${rate}/s, ${timeLeft((total - done) / perSecond)}`;
}

export function createProgress(
  label: string,
  { json, quiet }: Pick<Output, 'json' | 'quiet'>,
  { rate }: ProgressOptions = {},
): Progress {
  const { stderr } = process;
  const wanted = stderr.isTTY === true && !json && !quiet;
  let last = '';
  let since: number | undefined;
  return {
    show(done, total) {
      const percent = total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100));
      since ??= performance.now();
      const tail = rate === undefined ? '' : pace(done, total, performance.now() - since, rate);
      const line = `${label} ${bar(percent)} ${percent} %${tail}`;
      if (wanted && line !== last) stderr.write(`\r\u001b[2K${line}`);
      last = line;
    },
    end() {
      if (wanted && last !== '') stderr.write('\r\u001b[2K');
      last = '';
    },
  };
}

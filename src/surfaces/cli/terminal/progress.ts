/** A bar that overwrites itself on a terminal, and nothing anywhere else. */
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

export function createProgress(label: string, { json, quiet }: Pick<Output, 'json' | 'quiet'>): Progress {
  const { stderr } = process;
  const wanted = stderr.isTTY === true && !json && !quiet;
  let last = '';
  return {
    show(done, total) {
      const percent = total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100));
      const line = `${label} ${bar(percent)} ${percent} %`;
      if (wanted && line !== last) stderr.write(`\r\u001b[2K${line}`);
      last = line;
    },
    end() {
      if (wanted && last !== '') stderr.write('\r\u001b[2K');
      last = '';
    },
  };
}

/** A file with the reason why the last review failed; hooks write it, doctor and the next session read it. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../kernel/clock.ts';

export interface Problem {
  readonly at: number;
  readonly message: string;
}

export class LearningProblem {
  readonly #file: string;

  constructor(dataFolder: string) {
    this.#file = join(dataFolder, 'learning-problem.json');
  }

  note(message: string, { clock }: { readonly clock: Clock }): void {
    mkdirSync(join(this.#file, '..'), { recursive: true });
    const draft = `${this.#file}.${process.pid}.new`;
    writeFileSync(draft, JSON.stringify({ at: clock.now(), message }), { mode: 0o600 });
    renameSync(draft, this.#file);
  }

  clear(): void {
    rmSync(this.#file, { force: true });
  }

  read(): Problem | undefined {
    try {
      const { at, message } = JSON.parse(readFileSync(this.#file, 'utf8')) as Partial<Problem>;
      return typeof at === 'number' && typeof message === 'string' ? { at, message } : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Port: judges a text before it becomes memory. */
import type { Origin } from '../kernel/record.ts';

export interface GuardSubject {
  readonly content: string;
  readonly category: string;
  readonly tags: readonly string[];
  readonly origin: Origin;
}

export interface Verdict {
  readonly allowed: boolean;
  /** Short names of what was found, e.g. `override-phrase`. */
  readonly reasons: readonly string[];
}

export interface Guard {
  inspect(subject: GuardSubject): Verdict;
}

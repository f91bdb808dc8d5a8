/** What the verbs of maintenance take from outside; without the engine's own types, so that users need not have them. */
import type { RestoreOptions } from '../../../ports/maintenance.ts';

export interface ExamineOptions {
  readonly file: string;
  readonly busyTimeoutMs: number;
  readonly fix: boolean;
  readonly now: number;
}

export interface RestoreSqliteOptions extends RestoreOptions {
  readonly file: string;
  readonly source: string;
  readonly busyTimeoutMs: number;
}

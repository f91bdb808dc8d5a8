/** Port: what an engine can say about its own health, and how it is backed up, restored and indexed again. */
import type { TokenBacklog } from './token-store.ts';

export type Severity = 'ok' | 'notice' | 'problem';

/** Whose vectors there are; which model is wanted the engine does not know. */
export interface VectorFacts {
  /** The model whose vectors searches find. */
  readonly present: { readonly model: string; readonly dimensions: number } | null;
  /** Memories without a vector. */
  readonly waiting: number;
  /** Those that were made aside for the next model. */
  readonly aside: { readonly model: string; readonly made: number } | null;
}

export interface Finding {
  /** Stable name, e.g. `database.integrity`. */
  readonly check: string;
  /** What was found; a problem that was mended stays a problem that was found. */
  readonly severity: Severity;
  readonly message: string;
  /** What to do about it, when there is something. */
  readonly hint?: string;
  /** Whether an examination with `fix` can mend it. */
  readonly fixable?: boolean;
  /** Whether this examination mended it, verified by looking again. */
  readonly fixed?: boolean;
  /** Of `vectors.models` only. */
  readonly vectors?: VectorFacts;
  /** Of `tokens.space` only. */
  readonly tokens?: TokenBacklog;
}

export interface BackupProgress {
  readonly done: number;
  readonly total: number;
}

/** One finished file. */
export interface CopyReport {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface BackupReport extends CopyReport {
  /** Live and expired ones; forgotten ones have no content left. */
  readonly records: number;
  readonly messages: number;
}

/** What was there before a restore. */
export interface PreviousContent extends CopyReport {
  /** False when it was damaged already; it was kept all the same. */
  readonly intact: boolean;
}

export interface RestoreOptions {
  readonly now: number;
  /** The present content is kept under this name, which must be free. */
  readonly keepAs: string;
}

export interface RestoreReport extends BackupReport {
  /** Absent when there was no database before. */
  readonly previous?: PreviousContent;
}

export interface ReindexOptions {
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined;
}

export interface ReindexReport {
  readonly records: number;
  readonly messages: number;
  readonly vectors: number;
}

export interface VacuumReport {
  /** Bytes of tables and indexes, before and after. */
  readonly before: number;
  readonly after: number;
  /** Where text that was forgotten earlier can still be, in words for a person. */
  readonly remains: readonly string[];
}

export interface Maintenance {
  /** Looks, and changes nothing unless `fix` is set. */
  examine(options: { fix: boolean; now: number }): Promise<readonly Finding[]>;
  /** Rebuilds every index from what it was made of. Searches continue meanwhile; writes wait. */
  reindex(options: ReindexOptions): Promise<ReindexReport>;
  /** Writes all tables and indexes again, so that nothing of what was erased is left in them. Writes wait meanwhile. */
  vacuum(): Promise<VacuumReport>;
  /** Writes a new file, never over an existing one, while everybody else continues writing. */
  backup(target: string, onProgress?: (progress: BackupProgress) => void): Promise<BackupReport>;
  /**
   * Replaces the content of the store by that of a backup, for every process that has it open, all or nothing.
   * `file` and `sha256` of the report are those of the backup.
   */
  restore(source: string, options: RestoreOptions): Promise<RestoreReport>;
}

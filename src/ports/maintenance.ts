/** Port: what an engine can say about its own health, and how it is backed up and restored. */

export type Severity = 'ok' | 'notice' | 'problem';

export interface Finding {
  /** Stable name, e.g. `database.integrity`. */
  readonly check: string;
  readonly severity: Severity;
  readonly message: string;
  /** What to do about it, when there is something. */
  readonly hint?: string;
  readonly fixable?: boolean;
  readonly fixed?: boolean;
}

export interface BackupProgress {
  readonly done: number;
  readonly total: number;
}

export interface BackupReport {
  readonly file: string;
  readonly bytes: number;
  readonly records: number;
  readonly messages: number;
  readonly sha256: string;
}

export interface Maintenance {
  /** Looks, and changes nothing unless `fix` is set. */
  examine(options: { fix: boolean; now: number }): Promise<readonly Finding[]>;
  backup(target: string, onProgress?: (progress: BackupProgress) => void): Promise<BackupReport>;
  /** Replaces the content of the store by that of a backup; the present content is backed up first. */
  restore(
    source: string,
    options: { now: number; keepAs: string },
  ): Promise<BackupReport & { previous: BackupReport }>;
}

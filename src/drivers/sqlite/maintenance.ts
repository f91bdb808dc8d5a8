/** Backup, restore and examination of a SQLite database, always through the engine; loaded when first asked for. */
import type { Database } from 'better-sqlite3';
import type { Finding, Maintenance, RestoreReport } from '../../ports/maintenance.ts';
import type { ExamineOptions } from './examine.ts';
import type { RestoreSqliteOptions } from './restore.ts';

export type { ExamineOptions, RestoreSqliteOptions };

/** For a file that nobody has opened yet, or that cannot be opened: findings instead of exceptions. */
export async function examineSqlite(options: ExamineOptions): Promise<readonly Finding[]> {
  const examination = await import('./examine.ts');
  return examination.examineDatabase(options);
}

/** Also for a file that is damaged or missing. */
export async function restoreSqlite(options: RestoreSqliteOptions): Promise<RestoreReport> {
  const restoring = await import('./restore.ts');
  return restoring.restoreDatabase(options);
}

export interface MaintenanceParts {
  /** The connection that the stores write with. */
  readonly database: Database;
  readonly file: string;
  readonly busyTimeoutMs: number;
}

/** Each verb works with connections of its own, so that the stores go on meanwhile. */
export function sqliteMaintenance({ database, file, busyTimeoutMs }: MaintenanceParts): Maintenance {
  return {
    examine: (options) => examineSqlite({ ...options, file, busyTimeoutMs, connection: database }),
    async backup(target, onProgress) {
      const backups = await import('./backup.ts');
      return backups.backupDatabase({ file, target, busyTimeoutMs, onProgress });
    },
    restore: (source, options) => restoreSqlite({ ...options, source, file, busyTimeoutMs }),
  };
}

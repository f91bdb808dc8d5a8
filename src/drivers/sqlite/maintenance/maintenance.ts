/** Backup, restore and examination of an open database, always through the engine; loaded when first asked for. */
import type { Database } from 'better-sqlite3';
import type { Maintenance } from '../../../ports/maintenance.ts';
import { restoreSqlite } from './index.ts';
import type { ReindexParts } from './reindex.ts';

export interface MaintenanceParts extends ReindexParts {
  /** The connection that the stores write with. */
  readonly database: Database;
  readonly file: string;
  readonly busyTimeoutMs: number;
}

/** Each verb works with connections of its own, so that the stores go on meanwhile. */
export function sqliteMaintenance(parts: MaintenanceParts): Maintenance {
  const { database, file, busyTimeoutMs } = parts;
  return {
    async examine(options) {
      const { examineDatabase } = await import('./examine.ts');
      return examineDatabase({ ...options, file, busyTimeoutMs, connection: database });
    },
    async reindex(options) {
      const { reindexSqlite } = await import('./reindex.ts');
      return reindexSqlite(parts, options);
    },
    async vacuum() {
      const { vacuumSqlite } = await import('./vacuum.ts');
      return vacuumSqlite(file, busyTimeoutMs);
    },
    async backup(target, onProgress) {
      const { backupDatabase } = await import('./backup.ts');
      return backupDatabase({ file, target, busyTimeoutMs, onProgress });
    },
    restore: (source, options) => restoreSqlite({ ...options, source, file, busyTimeoutMs }),
  };
}

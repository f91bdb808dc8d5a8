/** Backup, restore and examination of a SQLite database, always through the engine. */
import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { Maintenance } from '../../ports/maintenance.ts';
import type { GroupWriter } from './group-writer.ts';
import type { TextIndex } from './text-index.ts';

export interface MaintenanceParts {
  readonly database: Database;
  readonly writer: GroupWriter;
  readonly index: TextIndex;
  readonly file: string;
}

export function sqliteMaintenance(_parts: MaintenanceParts): Maintenance {
  const missing = async () => {
    throw new KeepsakeError('UNSUPPORTED', 'being written by a helper');
  };
  return { examine: missing, backup: missing, restore: missing };
}

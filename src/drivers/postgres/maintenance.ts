/** What the driver can say about the health of its database, and its backups, which Postgres's own programs make. */
import type { Finding, Maintenance } from '../../ports/maintenance.ts';
import type { Database } from './database.ts';
import { backupPostgres, restorePostgres } from './dump.ts';
import { examine } from './examine.ts';
import type { GroupWriter } from './group-writer.ts';
import { reindexPostgres } from './reindex.ts';
import { vacuumPostgres } from './vacuum.ts';

export function postgresMaintenance(database: Database, writer: GroupWriter): Maintenance {
  return {
    examine: ({ fix }): Promise<readonly Finding[]> => examine(database, { fix }),
    reindex: (options) => reindexPostgres(database, writer, options),
    vacuum: () => vacuumPostgres(database),
    backup: (target) => backupPostgres(database, target),
    restore: (source, options) => restorePostgres(database.address, source, options),
  };
}

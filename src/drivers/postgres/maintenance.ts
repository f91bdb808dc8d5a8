/** What the driver can say about the health of its database; backups are the business of Postgres's own programs. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { Finding, Maintenance } from '../../ports/maintenance.ts';
import type { Database } from './database.ts';
import { examine } from './examine.ts';
import type { GroupWriter } from './group-writer.ts';
import { reindexPostgres } from './reindex.ts';
import { vacuumPostgres } from './vacuum.ts';

export function postgresMaintenance(database: Database, writer: GroupWriter): Maintenance {
  const { place, schema } = database.address;
  const unsupported = (what: string, hint: string): KeepsakeError =>
    new KeepsakeError('UNSUPPORTED', `Keepsake does not ${what} Postgres at ${place}.`, { hint });
  return {
    examine: ({ fix }): Promise<readonly Finding[]> => examine(database, { fix }),
    reindex: (options) => reindexPostgres(database, writer, options),
    vacuum: () => vacuumPostgres(database),
    backup: async () => {
      throw unsupported(
        'back up',
        `Use Postgres's own program: pg_dump --format=custom --schema=${schema} --file=keepsake.dump <url>.`,
      );
    },
    restore: async () => {
      throw unsupported(
        'restore',
        `Use Postgres's own program: pg_restore --clean --if-exists --dbname=<url> keepsake.dump.`,
      );
    },
  };
}

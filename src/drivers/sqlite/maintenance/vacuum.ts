/** Rewrites the database, so that no page contains erased data. */
import { KeepsakeError } from '../../../kernel/errors.ts';
import type { VacuumReport } from '../../../ports/maintenance.ts';
import { SqliteDatabase } from '../engine-package.ts';
import { noteTraces } from '../scrubber.ts';

/** With a connection of its own: the stores go on reading meanwhile. */
export function vacuumSqlite(file: string, timeout: number): VacuumReport {
  const database = new SqliteDatabase(file, { fileMustExist: true, timeout });
  try {
    const size = (): number =>
      (database.pragma('page_count', { simple: true }) as number) *
      (database.pragma('page_size', { simple: true }) as number);
    const before = size();
    database.exec('VACUUM');
    noteTraces(database, false);
    const [checkpoint] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    const remains = checkpoint?.busy === 0 ? [] : [`${file}-wal, until the processes that read it are done`];
    return { before, after: size(), remains };
  } catch (cause) {
    if ((cause as { code?: string }).code !== 'SQLITE_BUSY') throw cause;
    throw new KeepsakeError('BUSY', `${file} is being written by another process.`, {
      hint: 'Try again when it is done.',
      cause,
    });
  } finally {
    database.close();
  }
}

/** Examination and restoration of a database file that nobody has opened; loaded when first asked for. */
import type { Finding, RestoreReport } from '../../../ports/maintenance.ts';
import type { ExamineOptions, RestoreSqliteOptions } from './options.ts';

export type { ExamineOptions, RestoreSqliteOptions };

/** For a file that nobody has opened yet, or that cannot be opened: findings instead of exceptions. */
export async function examineSqlite(options: ExamineOptions): Promise<readonly Finding[]> {
  const { examineDatabase } = await import('./examine.ts');
  return examineDatabase(options);
}

/** Also for a file that is damaged or missing. */
export async function restoreSqlite(options: RestoreSqliteOptions): Promise<RestoreReport> {
  const { restoreDatabase } = await import('./restore.ts');
  return restoreDatabase(options);
}

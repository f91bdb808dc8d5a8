/** Detects that an open database was deleted, moved or replaced, because SQLite would keep writing to the old file. */
import { statSync } from 'node:fs';
import { KeepsakeError } from '../../kernel/errors.ts';

/** By path and never by a file descriptor, which would drop SQLite's locks when it is closed. */
const statOf = (file: string) => statSync(file, { bigint: true, throwIfNoEntry: false });

/** Returns a check that throws once the files are no longer those that are open now. Costs some microseconds. */
export function rememberWhereabouts(file: string): () => void {
  // The write-ahead log lives as long as any connection, so it is the same file for as long as ours is open.
  const known = [file, `${file}-wal`].map((name) => ({ name, first: statOf(name) }));
  return () => {
    const missing = known.find(({ name, first }) => {
      const now = statOf(name);
      return now?.ino !== first?.ino || now?.dev !== first?.dev;
    });
    if (missing === undefined) return;
    throw new KeepsakeError(
      'STORAGE_FAILED',
      `${missing.name} was deleted, moved or replaced while it was in use; this write was not kept.`,
      { hint: 'Put the files back or restore a backup, then create a new client.' },
    );
  };
}

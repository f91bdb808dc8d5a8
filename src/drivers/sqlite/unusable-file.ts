/** Names the file of a database that this user cannot read and write: the database itself, its log, or the shared memory of its readers. */
import { accessSync, constants } from 'node:fs';

const FILES = ['', '-wal', '-shm'] as const;

/** Undefined when all that exist can be used, or the system cannot tell. */
export function unusableFile(database: string): string | undefined {
  return FILES.map((side) => `${database}${side}`).find((file) => {
    try {
      accessSync(file, constants.R_OK | constants.W_OK);
      return false;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EACCES';
    }
  });
}

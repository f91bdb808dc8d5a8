/** Reads outside of the group writer, with errors that say what to do. */
import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../kernel/errors.ts';
import { translate } from './errors.ts';

export async function reading<T>(database: Database, read: () => T): Promise<T> {
  if (!database.open) {
    throw new KeepsakeError('CLOSED', 'The storage was closed.', { hint: 'Create a new client.' });
  }
  try {
    return read();
  } catch (error) {
    throw translate(error, database.name);
  }
}

/** Reads outside of the group writer, with errors that say what to do. */
import type { Database } from 'better-sqlite3';
import { closed } from '../common/closed.ts';
import { translate } from './errors.ts';

export async function reading<T>(database: Database, read: () => T): Promise<T> {
  if (!database.open) {
    throw closed();
  }
  try {
    return read();
  } catch (error) {
    throw translate(error, database.name);
  }
}

/** Reads JSON that we wrote ourselves into a column: what cannot be parsed is a damaged row, never a mistake of the caller. */
import { KeepsakeError } from '../../kernel/errors.ts';

const DAMAGED_ROW = { damaged: 'row' } as const;

export function storedJson<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw damagedRow('The database', 'Restore a backup of the database.', cause);
  }
}

/** The same error under the name of the database that holds the row; undefined for any other. */
export function namedDamage(thrown: unknown, database: string, hint: string): KeepsakeError | undefined {
  const isDamage = KeepsakeError.is(thrown) && thrown.details.damaged === DAMAGED_ROW.damaged;
  return isDamage ? damagedRow(database, hint, thrown.cause) : undefined;
}

function damagedRow(database: string, hint: string, cause: unknown): KeepsakeError {
  return new KeepsakeError('CORRUPT', `${database} holds a damaged row: its JSON cannot be read.`, {
    details: DAMAGED_ROW,
    hint,
    cause,
  });
}

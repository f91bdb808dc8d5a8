/** Whether a database has come as far as the note beside it says, and whether it is there at all. */
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Finding } from '../../../ports/maintenance.ts';
import {
  describeMissing,
  forgetWitness,
  GONE_HINT,
  missingSince,
  OLDER_HINT,
  type readWitness,
} from '../witness.ts';
import { quarantine } from './quarantine.ts';

interface Options {
  readonly file: string;
  readonly fix: boolean;
  readonly now: number;
}

export async function examineNewest(
  { file, fix, now }: Options,
  seen: ReturnType<typeof readWitness>,
  snapshot: Database,
): Promise<Finding> {
  const missing = missingSince(seen, snapshot);
  const check = 'database.newest';
  if (missing === undefined)
    return { check, severity: 'ok', message: 'The newest changes are in the database.' };
  const message = describeMissing(file, missing);
  if (!fix) return { check, severity: 'problem', message, hint: OLDER_HINT, fixable: true };
  const { file: copy } = await quarantine(file, dirname(file), now);
  forgetWitness(file);
  return {
    ...{ check, severity: 'problem', fixable: true, fixed: true },
    message: `${message} A copy of the database as it was is kept in ${copy}.`,
    hint: 'Compare with a backup: the newest memories are missing.',
  };
}

export function describeGone(file: string): Finding {
  return {
    ...{ check: 'database.gone', severity: 'problem', fixable: false, hint: GONE_HINT(file) },
    message: `The database ${file} is gone, although it was made before.`,
  };
}

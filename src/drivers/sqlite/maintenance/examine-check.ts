/** What a check is: it looks at one moment of a database, says what is wrong, and may know how to mend it. */

import type { Database } from 'better-sqlite3';
import { defined } from '../../../kernel/defined.ts';

export interface Trouble {
  readonly message: string;
  readonly hint?: string;
  /** A problem unless said otherwise. */
  readonly severity?: 'notice' | 'problem';
  /** False when this is beyond what the check can mend. */
  readonly fixable?: false;
}

export interface Check {
  /** Stable name, e.g. `records.json`. */
  readonly check: string;
  /** Said when nothing is wrong. */
  readonly fine: string;
  look(snapshot: Database, now: number): Trouble | undefined;
  /** Mends inside a transaction that holds the write lock; looks for itself, because time has passed. */
  mend?(database: Database, now: number): void;
}

/** How many examples a message names. */
const EXAMPLES = 3;

export interface RowCheck {
  readonly check: string;
  readonly fine: string;
  /** A query for the names of the rows that are wrong; `@now` may be used. */
  readonly rows: string;
  readonly message: (count: number) => string;
  readonly hint?: string;
  readonly severity?: 'notice';
  /** Statements that mend; `@now` may be used. */
  readonly mend?: readonly string[];
}

/** A check that is one query for bad rows. */
export function rowCheck({ check, fine, rows, message, hint, severity, mend }: RowCheck): Check {
  return {
    check,
    fine,
    look(snapshot, now) {
      const bad = snapshot.prepare(rows).pluck().all({ now }) as (string | number)[];
      if (bad.length === 0) return undefined;
      return {
        message: `${message(bad.length)} (${some(bad)}).`,
        ...defined({ hint, severity }),
      };
    },
    ...(mend === undefined
      ? {}
      : {
          mend(database, now) {
            for (const sql of mend) database.prepare(sql).run({ now });
          },
        }),
  };
}

/** "a, b, c and 5 more" */
export function some(names: readonly (string | number)[]): string {
  const shown = names.slice(0, EXAMPLES).join(', ');
  return names.length > EXAMPLES ? `${shown} and ${names.length - EXAMPLES} more` : shown;
}

/** "1 memory", "2 memories" */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The working state of swarm runs in SQLite: whole documents, compare-and-swap by version. */
import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';
import type { StateSnapshot, StateStore, StateWrite } from '../../ports/state-store.ts';
import type { GroupWriter } from './group-writer.ts';
import { reading } from './reading.ts';

interface StateRow {
  run: string;
  version: number;
  document: string;
  updated_at: number;
  lease_until: number;
}

export class SqliteStateStore implements StateStore {
  readonly #database: Database;
  readonly #writer: GroupWriter;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
  }

  read(run: string): Promise<StateSnapshot | null> {
    return reading(this.#database, () => {
      const row = this.#database.prepare('SELECT * FROM states WHERE run = ?').get(run) as
        | StateRow
        | undefined;
      if (row === undefined) return null;
      return {
        run,
        version: row.version,
        document: JSON.parse(row.document) as JsonValue,
        updatedAt: row.updated_at,
        leaseUntil: row.lease_until,
      };
    });
  }

  write({ run, document, ifVersion, at, leaseUntil }: StateWrite): Promise<StateSnapshot> {
    return this.#writer.run(() => {
      const found = this.#database.prepare('SELECT version FROM states WHERE run = ?').pluck().get(run);
      const current = (found as number | undefined) ?? 0;
      if (current !== ifVersion) {
        throw new KeepsakeError(
          'CONFLICT',
          `The state of ${run} is at version ${current}, not ${ifVersion}.`,
          {
            hint: 'Read it again and repeat the change.',
            details: { run, expected: ifVersion, found: current },
          },
        );
      }
      const version = current + 1;
      this.#database
        .prepare(
          'INSERT OR REPLACE INTO states (run, version, document, updated_at, lease_until) VALUES (?, ?, ?, ?, ?)',
        )
        .run(run, version, JSON.stringify(document), at, leaseUntil);
      return { run, version, document, updatedAt: at, leaseUntil };
    });
  }

  remove(run: string): Promise<boolean> {
    return this.#writer.run(
      () => this.#database.prepare('DELETE FROM states WHERE run = ?').run(run).changes > 0,
    );
  }

  sweep(now: number): Promise<readonly string[]> {
    return this.#writer.run(
      () =>
        this.#database
          .prepare('DELETE FROM states WHERE lease_until < ? RETURNING run')
          .pluck()
          .all(now) as string[],
    );
  }
}

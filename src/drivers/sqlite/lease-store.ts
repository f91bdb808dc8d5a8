/** Leases for background work in SQLite. */
import type { Database } from 'better-sqlite3';
import { refusingExpiry } from '../../leases/rules/claims.ts';
import type { Lease, LeaseClaim, LeaseNote, LeaseStore } from '../../ports/lease-store.ts';
import type { GroupWriter } from './group-writer.ts';
import { reading } from './reading.ts';

export class SqliteLeaseStore implements LeaseStore {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #statements;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
    this.#statements = prepareStatements(database);
  }

  take(name: string, claim: LeaseClaim): Promise<Lease | null> {
    const { now } = claim;
    return this.#writer.run(() => {
      this.#statements.sweep.run(now, now);
      const taken = this.#statements.take.get({ name, ...claim, ...refusingExpiry(claim) });
      return (taken as Lease | undefined) ?? null;
    });
  }

  note(name: string, { owner, note, keepUntil }: LeaseNote): Promise<boolean> {
    return this.#writer.run(() => this.#statements.note.run(note, keepUntil, name, owner).changes > 0);
  }

  release(name: string, owner: string): Promise<boolean> {
    return this.#writer.run(() => this.#statements.release.run(name, owner).changes > 0);
  }

  list(prefix: string): Promise<readonly Lease[]> {
    return reading(this.#database, () => this.#statements.list.all(prefix.length, prefix) as Lease[]);
  }
}

const COLUMNS = 'name, owner, expires_at AS expiresAt, note';

function prepareStatements(database: Database) {
  return {
    sweep: database.prepare('DELETE FROM leases WHERE expires_at <= ? AND kept_until <= ?'),
    take: database.prepare(
      `INSERT INTO leases (name, owner, expires_at, kept_until) VALUES (@name, @owner, @until, @until)
       ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
       WHERE owner IS NULL OR owner = excluded.owner OR expires_at NOT BETWEEN @from AND @to
       RETURNING ${COLUMNS}`,
    ),
    note: database.prepare('UPDATE leases SET note = ?, kept_until = ? WHERE name = ? AND owner = ?'),
    release: database.prepare('UPDATE leases SET owner = NULL, expires_at = 0 WHERE name = ? AND owner = ?'),
    list: database.prepare(`SELECT ${COLUMNS} FROM leases WHERE substr(name, 1, ?) = ? ORDER BY name`),
  };
}

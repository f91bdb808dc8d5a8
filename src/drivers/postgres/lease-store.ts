/** Leases in Postgres: who may do which background work just now. Each change is one statement, outside of every transaction. */
import { refusingExpiry } from '../../leases/rules/claims.ts';
import type { Lease, LeaseClaim, LeaseNote, LeaseStore } from '../../ports/lease-store.ts';
import type { Database } from './database.ts';
import { raw, sql } from './sql.ts';

const COLUMNS = raw('name, owner, expires_at AS "expiresAt", note');

export class PostgresLeaseStore implements LeaseStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async take(name: string, claim: LeaseClaim): Promise<Lease | null> {
    const { owner, now, until } = claim;
    const { from, to } = refusingExpiry(claim);
    await this.#database.rows(sql`DELETE FROM leases WHERE expires_at <= ${now} AND kept_until <= ${now}`);
    const taken = await this.#database.row<Lease>(
      sql`INSERT INTO leases AS lease (name, owner, expires_at, kept_until)
          VALUES (${name}, ${owner}, ${until}, ${until})
          ON CONFLICT (name) DO UPDATE SET owner = EXCLUDED.owner, expires_at = EXCLUDED.expires_at
          WHERE lease.owner IS NULL OR lease.owner = EXCLUDED.owner
            OR lease.expires_at NOT BETWEEN ${from} AND ${to}
          RETURNING ${COLUMNS}`,
    );
    return taken ?? null;
  }

  note(name: string, { owner, note, keepUntil }: LeaseNote): Promise<boolean> {
    return this.#changes(
      sql`UPDATE leases SET note = ${note}, kept_until = ${keepUntil} WHERE name = ${name} AND owner = ${owner}
          RETURNING name`,
    );
  }

  release(name: string, owner: string): Promise<boolean> {
    return this.#changes(
      sql`UPDATE leases SET owner = NULL, expires_at = 0 WHERE name = ${name} AND owner = ${owner}
          RETURNING name`,
    );
  }

  list(prefix: string): Promise<readonly Lease[]> {
    return this.#database.rows<Lease>(
      sql`SELECT ${COLUMNS} FROM leases WHERE starts_with(name, ${prefix}) ORDER BY name`,
    );
  }

  async #changes(statement: Parameters<Database['rows']>[0]): Promise<boolean> {
    return (await this.#database.rows(statement)).length > 0;
  }
}

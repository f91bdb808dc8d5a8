/**
 * Statements by their text, prepared once. Filters come in few shapes, so few are kept. A limit is bound as "LIMIT +?": SQLite
 * plans by the value of a plain "LIMIT ?", and prepares the statement again each time that it is given one.
 */
import type { Database, Statement } from 'better-sqlite3';

const MAX_STATEMENTS = 64;

export class StatementCache {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database) {
    this.#database = database;
  }

  get(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

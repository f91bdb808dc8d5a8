/** The pages of the text index: each is named after the beginning of its first word, and keeps the name when the word goes. */
import type { Database } from 'better-sqlite3';

/** FTS5 puts this before every word of its main index. */
const MAIN_INDEX = '0';
/** Records begin at 1. */
const NOBODY = 0;
const PASSING = ['passing', '', ''] as const;

export class IndexPages {
  readonly #database: Database;
  readonly #segments: number[];
  readonly #page;

  constructor(database: Database) {
    this.#database = database;
    this.#segments = database
      .prepare('SELECT DISTINCT segid FROM records_text_idx')
      .pluck()
      .all() as number[];
    this.#page = database
      .prepare('SELECT term FROM records_text_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1')
      .pluck();
  }

  /** Whether a page that would hold this word has a name that this word begins with. */
  areNamedAfter(term: string): boolean {
    const word = Buffer.from(MAIN_INDEX + term);
    return this.#segments.some((segment) => {
      const name = this.#page.get(segment, word) as Buffer | undefined;
      return name !== undefined && name.length > 1 && word.subarray(0, name.length).equals(name);
    });
  }

  /** Writes every page again, named after the words that are there. Takes half a second for 100,000 records. */
  rename(): void {
    // With a single segment FTS5 sees nothing to do, so a passing entry makes a second one.
    const entry = this.#database.prepare(
      'INSERT INTO records_text (rowid, body, labels, silo) VALUES (?, ?, ?, ?)',
    );
    entry.run(NOBODY, ...PASSING);
    this.#database.exec("INSERT INTO records_text (records_text) VALUES ('optimize')");
    this.#database
      .prepare(
        "INSERT INTO records_text (records_text, rowid, body, labels, silo) VALUES ('delete', ?, ?, ?, ?)",
      )
      .run(NOBODY, ...PASSING);
  }
}

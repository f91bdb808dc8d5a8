/** The text index over records: FTS5 without a copy of the content, fed with terms that we analysed ourselves. */
import type { Database } from 'better-sqlite3';
import { ANALYSIS_VERSION } from '../../kernel/analysis.ts';
import type { Viewer } from '../../kernel/scope.ts';
import type { TermStatistics } from '../../ports/record-store.ts';
import type { Deferring } from './group-writer.ts';
import { IndexPages } from './index-pages.ts';
import { type CountedRows, countedRows, ownerTokens } from './match-expression.ts';
import { type Indexed, type ResidentSearch, totalsReader, wordsOf } from './text/index.ts';

export type { Indexed } from './text/index.ts';

/** Index rows read per step of a rebuild, to keep memory flat. */
const REBUILD_STEP = 1_000;

function columns(record: Indexed): [body: string, labels: string, silo: string] {
  const { body, labels } = wordsOf(record);
  return [body.join(' '), labels.join(' '), ownerTokens(record).join(' ')];
}

type Entry = readonly [rid: number, ...ReturnType<typeof columns>];

export class TextIndex implements Deferring {
  /** The same in memory, where it is of use. */
  readonly resident: ResidentSearch | undefined;
  readonly #database: Database;
  readonly #insert;
  readonly #delete;
  readonly #flush;
  readonly #frequency;
  readonly #matching;
  readonly #matchingShared;
  readonly #totals;
  #later: Entry[] = [];

  constructor(database: Database, resident?: ResidentSearch) {
    this.#database = database;
    this.resident = resident;
    this.#insert = database.prepare(
      'INSERT INTO records_text (rowid, body, labels, silo) VALUES (?, ?, ?, ?)',
    );
    this.#delete = database.prepare(
      "INSERT INTO records_text (records_text, rowid, body, labels, silo) VALUES ('delete', ?, ?, ?, ?)",
    );
    this.#flush = database.prepare("INSERT INTO records_text (records_text) VALUES ('flush')");
    this.#frequency = database.prepare('SELECT doc FROM records_terms WHERE term = ?').pluck();
    this.#matching = database.prepare('SELECT count(*) FROM records_text WHERE records_text MATCH ?').pluck();
    this.#matchingShared = database
      .prepare(
        `SELECT count(*) FROM records_text JOIN records r ON r.rid = records_text.rowid
         WHERE records_text MATCH ? AND r.scope = 'swarm'`,
      )
      .pluck();
    this.#totals = totalsReader(database);
  }

  add(rid: number, record: Indexed): void {
    this.#insert.run(rid, ...columns(record));
  }

  /**
   * Adds it before the transaction ends. FTS5 gathers words in memory and writes them out whenever a statement with a
   * trigger runs, as that of the vectors; entries that follow each other are written once.
   */
  defer(rid: number, record: Indexed): void {
    this.#later.push([rid, ...columns(record)]);
  }

  settle(): void {
    const entries = this.#later;
    this.#later = [];
    for (const entry of entries) this.#insert.run(entry);
  }

  discard(): void {
    this.#later = [];
  }

  remove(rid: number, record: Indexed): void {
    this.settle();
    this.#delete.run(rid, ...columns(record));
    // FTS5's secure-delete (SQLite 3.53.4) leaves entries of the old text behind when the same row comes back before the
    // removal is written out: in 29 of 40 random histories with long texts, in none with this.
    this.#flush.run();
  }

  /** Removes them so that no word of them stays behind. */
  erase(records: readonly (Indexed & { readonly rid: number })[]): void {
    const words = new Set<string>();
    for (const record of records) {
      this.remove(record.rid, record);
      const [body, labels] = columns(record);
      for (const term of `${body} ${labels}`.split(' ')) words.add(term);
    }
    const pages = new IndexPages(this.#database);
    const betrayed = [...words].filter((term) => pages.areNamedAfter(term));
    if ([...this.frequencies(betrayed).values()].includes(0)) pages.rename();
    this.resident?.refresh();
  }

  statistics(terms: readonly string[], viewer: Viewer): TermStatistics {
    const { records } = this.#totals();
    const everything = this.frequencies(terms);
    const whole = { frequencies: everything, population: records };
    const visible = countedRows(viewer);
    const population = visible === undefined ? records : this.#count(visible);
    if (population === records) return whole;
    // A word that nobody holds needs no second look.
    const own = [...everything].map(([term, count]): [string, number] => [
      term,
      count === 0 ? 0 : this.#count(countedRows(viewer, term)!),
    ]);
    return { frequencies: new Map(own), population };
  }

  #count(parts: readonly CountedRows[]): number {
    const counts = parts.map(({ expression, isSharedOnly }) =>
      (isSharedOnly ? this.#matchingShared : this.#matching).get(expression),
    );
    return (counts as number[]).reduce((sum, count) => sum + count, 0);
  }

  frequencies(terms: readonly string[]): Map<string, number> {
    return new Map(terms.map((term) => [term, (this.#frequency.get(term) as number | undefined) ?? 0]));
  }

  /** Whether the index was made by another analysis than ours. */
  get stale(): boolean {
    const stored = this.#database
      .prepare("SELECT value FROM meta WHERE key = 'analysis_version'")
      .pluck()
      .get();
    return stored !== String(ANALYSIS_VERSION);
  }

  /** Empties the index and fills it from the records; the caller holds the transaction. */
  rebuild(onIndexed: (count: number) => void = () => {}): number {
    this.#database.exec("INSERT INTO records_text (records_text) VALUES ('delete-all')");
    const page = this.#database.prepare(
      `SELECT rid, agent, nullif(user_id, '') AS user, scope, category, content, tags FROM records
       WHERE rid > ? AND forgotten_at IS NULL ORDER BY rid LIMIT ${REBUILD_STEP}`,
    );
    let done = 0;
    for (let last = 0; ; ) {
      const rows = page.all(last) as (Indexed & { rid: number })[];
      for (const row of rows) this.add(row.rid, row);
      done += rows.length;
      onIndexed(rows.length);
      if (rows.length < REBUILD_STEP) break;
      last = rows.at(-1)!.rid;
    }
    this.#database
      .prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('analysis_version', ?)")
      .run(String(ANALYSIS_VERSION));
    return done;
  }
}

/** The text index over records: FTS5 without a copy of the content, fed with terms that we analysed ourselves. */
import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { ANALYSIS_VERSION, analyze } from '../../kernel/analysis.ts';
import type { Scope, Viewer } from '../../kernel/scope.ts';

/** The fields of a record that the index holds. Removal needs exactly what was inserted. */
export interface Indexed {
  readonly agent: string;
  readonly scope: Scope;
  readonly category: string;
  readonly content: string;
  /** JSON, as stored. */
  readonly tags: string;
}

const SHARED = 'swarm';
/** Index rows read per step of a rebuild, to keep memory flat. */
const REBUILD_STEP = 1_000;

function siloToken(agent: string): string {
  return `a${createHash('sha256').update(agent).digest('hex').slice(0, 16)}`;
}

function columns(record: Indexed): [body: string, labels: string, silo: string] {
  const labels = [record.category, ...(JSON.parse(record.tags) as string[])].join(' ');
  const silo = record.scope === 'swarm' ? `${siloToken(record.agent)} ${SHARED}` : siloToken(record.agent);
  return [analyze(record.content).join(' '), analyze(labels).join(' '), silo];
}

const quoted = (term: string) => `"${term.replaceAll('"', '""')}"`;

/** A query that can only match rows of silos that the viewer may see; every term is quoted, so none is syntax. */
export function matchExpression(terms: readonly string[], viewer: Viewer, onlyAgent?: string): string {
  const wanted = `{body labels} : (${terms.map(quoted).join(' OR ')})`;
  if (onlyAgent !== undefined) return `${wanted} AND silo : ${quoted(siloToken(onlyAgent))}`;
  if (viewer.role === 'admin') return wanted;
  const silos = viewer.agent === undefined ? [SHARED] : [siloToken(viewer.agent), SHARED];
  return `${wanted} AND silo : (${silos.map(quoted).join(' OR ')})`;
}

export class TextIndex {
  readonly #database: Database;
  readonly #insert;
  readonly #delete;
  readonly #frequency;

  constructor(database: Database) {
    this.#database = database;
    this.#insert = database.prepare(
      'INSERT INTO records_text (rowid, body, labels, silo) VALUES (?, ?, ?, ?)',
    );
    this.#delete = database.prepare(
      "INSERT INTO records_text (records_text, rowid, body, labels, silo) VALUES ('delete', ?, ?, ?, ?)",
    );
    this.#frequency = database.prepare('SELECT doc FROM records_terms WHERE term = ?').pluck();
  }

  add(rid: number, record: Indexed): void {
    this.#insert.run(rid, ...columns(record));
  }

  remove(rid: number, record: Indexed): void {
    this.#delete.run(rid, ...columns(record));
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
  rebuild(): number {
    this.#database.exec("INSERT INTO records_text (records_text) VALUES ('delete-all')");
    const page = this.#database.prepare(
      `SELECT rid, agent, scope, category, content, tags FROM records
       WHERE rid > ? AND forgotten_at IS NULL ORDER BY rid LIMIT ${REBUILD_STEP}`,
    );
    let done = 0;
    for (let last = 0; ; ) {
      const rows = page.all(last) as (Indexed & { rid: number })[];
      for (const row of rows) this.add(row.rid, row);
      done += rows.length;
      if (rows.length < REBUILD_STEP) break;
      last = rows.at(-1)!.rid;
    }
    this.#database
      .prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('analysis_version', ?)")
      .run(String(ANALYSIS_VERSION));
    return done;
  }
}

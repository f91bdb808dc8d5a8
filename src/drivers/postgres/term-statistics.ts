/** Counts the records that contain a word, among those that the viewer may see. */
import { type Viewer, visibleTo } from '../../kernel/scope.ts';
import type { TermStatistics } from '../../ports/record-store.ts';
import type { Database } from './database.ts';
import { countedWords } from './record-where.ts';
import { raw, type Sql, sql } from './sql.ts';

interface Row {
  /** How many records there are, and whether the viewer sees all of them. */
  readonly texts: number;
  readonly all: boolean;
  readonly visible: number | null;
  readonly term: string | null;
  readonly holders: number | null;
  readonly own: number | null;
}

/** Counting further would read too much of the index: what is beyond is estimated from the share of all records. */
const MOST_COUNTED = 2_000;
/** A large population is counted again when the store has grown or shrunk by this part. */
const DRIFT = 0.05;
const MOST_KEPT = 1_000;

/** By database and viewer: the visible records when they were last counted, and how many there were in all. */
const populations = new WeakMap<Database, Map<string, { readonly count: number; readonly texts: number }>>();

export async function termStatistics(
  database: Database,
  terms: readonly string[],
  viewer: Viewer,
): Promise<TermStatistics> {
  const allowed = countedWords(viewer);
  const all = seesAll(viewer);
  const counted = (condition: Sql): Sql =>
    sql`CASE WHEN store.all THEN NULL ELSE
      (SELECT count(*) FROM (SELECT 1 FROM record_words w WHERE ${condition} LIMIT ${MOST_COUNTED}) few)::float8 END`;
  const rows = await database.rows<Row>(
    sql`WITH store AS MATERIALIZED (
          SELECT COALESCE((counters::json ->> 'indexedRecords')::float8, 0) AS texts, ${all} AS all
          FROM lanes WHERE name = 'memory'
        )
        SELECT store.texts, store.all, ${counted(allowed)} AS visible, t.term, t.holders,
          ${counted(sql`w.words @> ARRAY[t.term]::text[] AND ${allowed}`)} AS own
        FROM store LEFT JOIN record_terms t ON t.term = ANY(${terms}::text[])`,
  );
  const { texts, all: isAll, visible } = rows[0]!;
  const population = isAll
    ? texts
    : visible! < MOST_COUNTED
      ? visible!
      : await populationOf(database, viewer, allowed, texts);
  const frequencies = new Map(terms.map((term) => [term, 0]));
  for (const { term, holders, own } of rows) {
    if (term === null || holders === null) continue;
    const estimate = Math.max(MOST_COUNTED, Math.round((holders * population) / Math.max(1, texts)));
    frequencies.set(term, isAll ? holders : own! < MOST_COUNTED ? own! : estimate);
  }
  return { frequencies, population };
}

/** In a store of one agent and without users there is nothing to hide from it. */
function seesAll(viewer: Viewer): Sql {
  const visibility = visibleTo(viewer);
  if (visibility.some((conditions) => conditions.length === 0)) return raw('TRUE');
  if (viewer.agent === undefined) return raw('FALSE');
  return sql`(NOT EXISTS (SELECT 1 FROM agents WHERE name <> ${viewer.agent}) AND NOT EXISTS (SELECT 1 FROM agent_users))`;
}

async function populationOf(
  database: Database,
  viewer: Viewer,
  allowed: Sql,
  texts: number,
): Promise<number> {
  const kept = populations.get(database) ?? new Map();
  populations.set(database, kept);
  const key = JSON.stringify(visibleTo(viewer));
  const last = kept.get(key);
  if (last !== undefined && Math.abs(texts - last.texts) <= DRIFT * last.texts) return last.count;
  const [row] = await database.rows<{ count: number }>(
    sql`SELECT count(*)::float8 AS count FROM record_words w WHERE ${allowed}`,
  );
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, { count: row!.count, texts });
  return row!.count;
}

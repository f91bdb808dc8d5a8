/** Feeds the search in memory from Postgres: all records once, then what changed, by numbers that are committed in their order. */
import type { News, ResidentRow, ResidentSource } from '../resident-search/index.ts';
import type { Database } from './database.ts';
import { RECORD_COLUMNS, type RecordRow, toRecord } from './record-rows.ts';
import type { Session } from './session.ts';
import { type Sql, sql } from './sql.ts';
import { readVector } from './vectors/vector-format.ts';

/** A time before anything expires. */
const AT_FIRST = Number.NEGATIVE_INFINITY;
/** Changes taken over at a time. */
const MOST_CHANGES = 256;

export interface FeedPlace {
  /** The last change that was taken over, and the transaction that made it. */
  readonly change: number;
  readonly mark: string;
  /** The last number that was given to a record, and the last that was taken over. */
  readonly numbered: number;
  readonly lastRid: number;
}

interface HeadRow {
  readonly change: number;
  readonly mark: string;
  readonly counters: string;
  readonly known: boolean;
}

type SourceRow = RecordRow & { readonly model: string | null; readonly sent: Buffer | null };
type Asking = Pick<Session, 'rows' | 'row'>;

interface Counters {
  readonly record?: number;
  readonly indexedRecords?: number;
  readonly recordWords?: number;
}

/** One row of an index and one of a small table: what each search costs when nothing has changed. */
function headQuery({ change, mark }: Pick<FeedPlace, 'change' | 'mark'>): Sql {
  return sql`SELECT c.change, c.mark, l.counters,
      EXISTS (SELECT 1 FROM record_changes k WHERE k.change = ${change} AND k.mark = ${mark}) AS known
    FROM lanes l, (SELECT change, mark FROM record_changes ORDER BY change DESC LIMIT 1) c WHERE l.name = 'memory'`;
}

async function rowsWhere(asking: Asking, where: Sql): Promise<ResidentRow[]> {
  const rows = await asking.rows<SourceRow>(
    sql`SELECT ${RECORD_COLUMNS}, m.id AS model, vector_send(v.vector) AS sent FROM records r
        LEFT JOIN record_vectors v ON v.rid = r.rid LEFT JOIN embedding_models m ON m.key = v.model
        WHERE ${where}`,
  );
  return rows.map(({ model, sent, ...row }) => ({
    rid: row.rid,
    record: row.forgotten_at === null ? toRecord(row as RecordRow, AT_FIRST) : undefined,
    embedding: model === null || sent === null ? undefined : { model, vector: readVector(sent) },
  }));
}

export class PostgresResidentSource implements ResidentSource<FeedPlace> {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async head(): Promise<News<FeedPlace>> {
    const row = await this.#database.row<HeadRow>(headQuery({ change: 0, mark: '' }));
    const { record = 0 } = JSON.parse(row!.counters) as Counters;
    return newsOf(row!, { lastRid: record });
  }

  page(afterRid: number, limit: number): Promise<ResidentRow[]> {
    return rowsWhere(this.#database, sql`r.rid > ${afterRid} ORDER BY r.rid LIMIT ${limit}`);
  }

  async since(place: FeedPlace): Promise<News<FeedPlace> | undefined> {
    const row = await this.#database.row<HeadRow>(headQuery(place), { keepsPlans: true });
    if (!row?.known) return undefined;
    const news = newsOf(row, { lastRid: place.lastRid });
    if (news.position.change === place.change && news.position.numbered === place.numbered) return news;
    return this.#database.snapshot((session) => changesSince(session, place));
  }

  async logarithms(values: readonly number[]): Promise<number[]> {
    const row = await this.#database.row<{ logarithms: number[] }>(
      sql`SELECT ARRAY(SELECT ln(value) FROM unnest(${values}::float8[]) WITH ORDINALITY AS asked (value, place)
          ORDER BY place) AS logarithms`,
      { keepsPlans: true },
    );
    return row!.logarithms;
  }
}

async function changesSince(session: Session, place: FeedPlace): Promise<News<FeedPlace> | undefined> {
  const head = await session.row<HeadRow>(headQuery(place));
  if (!head?.known) return undefined;
  const changes = await session.rows<{ change: number; mark: string; rid: number | null }>(
    sql`SELECT change, mark, rid FROM record_changes WHERE change > ${place.change} ORDER BY change LIMIT ${MOST_CHANGES}`,
  );
  if (changes.some(({ rid }) => rid === null)) return undefined;
  const added = await rowsWhere(session, sql`r.rid > ${place.lastRid} ORDER BY r.rid LIMIT ${MOST_CHANGES}`);
  const rids = [...new Set(changes.map(({ rid }) => rid!))];
  const changed = rids.length === 0 ? [] : await rowsWhere(session, sql`r.rid = ANY(${rids}::bigint[])`);
  const found = new Set(changed.map(({ rid }) => rid));
  const gone = rids.filter((rid) => !found.has(rid));
  const rows = [
    ...added,
    ...changed,
    ...gone.map((rid) => ({ rid, record: undefined, embedding: undefined })),
  ];
  const more = changes.length === MOST_CHANGES || added.length === MOST_CHANGES;
  const last = changes.at(-1) ?? place;
  const { position, ...totals } = newsOf(head, { lastRid: added.at(-1)?.rid ?? place.lastRid });
  // With more to come, the next look must not take this one for the last.
  const numbered = more ? place.numbered : position.numbered;
  return {
    ...totals,
    position: { ...position, change: last.change, mark: last.mark, numbered },
    rows,
    more,
  };
}

function newsOf(
  { change, mark, counters }: HeadRow,
  { lastRid }: Pick<FeedPlace, 'lastRid'>,
): News<FeedPlace> {
  const { record = 0, indexedRecords = 0, recordWords = 0 } = JSON.parse(counters) as Counters;
  return {
    position: { change, mark, numbered: record, lastRid },
    records: indexedRecords,
    words: recordWords,
    rows: [],
    more: false,
  };
}

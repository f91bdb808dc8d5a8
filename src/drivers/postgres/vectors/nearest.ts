/** Finds the nearest vectors: all of a small scope are looked at, those of a large one through an index of pgvector. */
import type { VectorQuery } from '../../../ports/record-store.ts';
import { cosine } from '../../common/vector-math.ts';
import { RECORD_COLUMNS, type RecordRow } from '../record-rows.ts';
import type { Session } from '../session.ts';
import { raw, type Sql, sql } from '../sql.ts';
import type { StoredModel } from './embedding-models.ts';
import { isIndexed } from './neighbour-index.ts';
import { readVector, vectorText } from './vector-format.ts';

/** Postgres compares vectors with less precision than we do: so many more are fetched, and put in their true order. */
const SPARE = 32;
/** How many candidates the index looks at; it takes no higher number. */
const LEAST_EFFORT = 100;
const MOST_EFFORT = 1_000;

export interface Scope {
  readonly model: StoredModel;
  /** Of unit length. */
  readonly query: Float32Array;
  /** Where to look; undefined: everywhere. */
  readonly silos: readonly string[] | undefined;
  /** On the records, as `r`. */
  readonly where: Sql;
  readonly limit: VectorQuery['limit'];
}

export interface Hit {
  readonly row: RecordRow;
  readonly similarity: number;
}

export interface Found {
  readonly hits: readonly Hit[];
  /** The scope was so large that an index would have helped, and there is none. */
  readonly wantsIndex: boolean;
}

type FoundRow = RecordRow & { readonly sent: Buffer };

export async function nearest(session: Session, scope: Scope, exactUpTo: number): Promise<Found> {
  const isLarge = await isLargerThan(session, scope, exactUpTo);
  const hasIndex = isLarge && (await isIndexed(session, scope.model));
  if (hasIndex) {
    const hits = await throughIndex(session, scope);
    // The index gives up after a while; whatever passes the filter is found all the same.
    if (hits.length >= scope.limit) return { hits, wantsIndex: false };
  }
  return { hits: await throughAll(session, scope), wantsIndex: isLarge && !hasIndex };
}

function inSilos({ model, silos }: Scope): Sql {
  const ofModel = sql`v.model = ${raw(String(model.key))}`;
  return silos === undefined ? ofModel : sql`${ofModel} AND v.silo = ANY(${silos}::text[])`;
}

async function isLargerThan(session: Session, scope: Scope, size: number): Promise<boolean> {
  const row = await session.row<{ size: number }>(
    sql`SELECT count(*) AS size FROM (SELECT 1 FROM record_vectors v WHERE ${inSilos(scope)} LIMIT ${size + 1}) v`,
  );
  return row!.size > size;
}

/** The vectors alone are put in order; then each record in turn is looked at, until there are enough. */
async function throughAll(session: Session, scope: Scope): Promise<Hit[]> {
  const rows = await session.rows<FoundRow>(
    sql`SELECT ${RECORD_COLUMNS}, (SELECT vector_send(v.vector) FROM record_vectors v WHERE v.rid = r.rid) AS sent FROM (
          SELECT v.rid FROM record_vectors v WHERE ${inSilos(scope)}
          ORDER BY v.vector <#> ${vectorText(scope.query)}::vector, v.rid DESC
        ) ordered CROSS JOIN LATERAL (
          SELECT * FROM records r WHERE r.rid = ordered.rid AND ${scope.where} LIMIT 1
        ) r LIMIT ${scope.limit + SPARE}`,
  );
  return ranked(rows, scope);
}

async function throughIndex(session: Session, scope: Scope): Promise<Hit[]> {
  const { model, query, limit } = scope;
  const effort = Math.max(LEAST_EFFORT, Math.min(MOST_EFFORT, 2 * limit));
  await session.command(
    `SET LOCAL hnsw.iterative_scan = relaxed_order; SET LOCAL hnsw.ef_search = ${effort};
     SET LOCAL hnsw.max_scan_tuples = 100000`,
  );
  const typed = raw(`vector(${model.dimensions})`);
  const rows = await session.rows<FoundRow>(
    sql`SELECT ${RECORD_COLUMNS}, vector_send(v.vector) AS sent FROM record_vectors v JOIN records r ON r.rid = v.rid
        WHERE ${inSilos(scope)} AND ${scope.where}
        ORDER BY v.vector::${typed} <#> ${vectorText(query)}::${typed} LIMIT ${2 * limit + SPARE}`,
  );
  return ranked(rows, scope);
}

/** By similarity, then the newer first. */
function ranked(rows: readonly FoundRow[], { query, limit }: Scope): Hit[] {
  return rows
    .map(({ sent, ...row }) => ({ row, similarity: cosine(query, readVector(sent)) }))
    .sort((a, b) => b.similarity - a.similarity || b.row.rid - a.row.rid)
    .slice(0, limit);
}

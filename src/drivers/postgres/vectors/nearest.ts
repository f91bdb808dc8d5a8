/** Finds the nearest vectors: all of a small scope are looked at, those of a large one through an index of pgvector. */
import type { VectorQuery } from '../../../ports/record-store.ts';
import type { StoredModel } from '../../common/stored-model.ts';
import { cosine } from '../../search-kernels/vectors/dot.ts';
import { USUAL_EFFORT } from '../client.ts';
import type { Database } from '../database.ts';
import { RECORD_COLUMNS, type RecordRow } from '../record-rows.ts';
import { raw, type Sql, sql } from '../sql.ts';
import { isIndexed } from './neighbour-index.ts';
import { readVector, vectorText } from './vector-format.ts';

/** Postgres compares vectors with less precision than we do: so many more are fetched, and put in their true order. */
const SPARE = 32;
/** When no more records than these pass a filter, their vectors are compared one by one. */
const FEW = 1_000;
/** How many candidates the index looks at: pgvector takes no higher number. */
const MOST_EFFORT = 1_000;

export interface Scope {
  readonly model: StoredModel;
  /** Of unit length. */
  readonly query: Float32Array;
  /** Where to look; undefined: everywhere. */
  readonly partitions: readonly string[] | undefined;
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

export async function nearest(
  database: Pick<Database, 'row' | 'rows' | 'snapshot'>,
  scope: Scope,
  exactUpTo: number,
): Promise<Found> {
  const few = Math.min(FEW, exactUpTo);
  const { size, passing, indexed } = await extentOf(database, scope, {
    size: exactUpTo + 1,
    passing: few + 1,
  });
  const isLarge = size > exactUpTo;
  if (isLarge && passing <= few) return { hits: await amongFew(database, scope), wantsIndex: !indexed };
  if (isLarge && indexed) {
    const hits = await throughIndex(database, scope);
    // The index gives up after a while; whatever passes the filter is found all the same.
    if (hits.length >= scope.limit) return { hits, wantsIndex: false };
  }
  return { hits: await throughAll(database, scope), wantsIndex: isLarge && !indexed };
}

function inPartitions({ model, partitions }: Scope): Sql {
  const ofModel = sql`v.model = ${raw(String(model.key))}`;
  return partitions === undefined ? ofModel : sql`${ofModel} AND v.silo = ANY(${partitions}::text[])`;
}

interface Extent {
  /** Vectors that may be looked at. */
  readonly size: number;
  /** Records that pass. */
  readonly passing: number;
}

/** How many there are, counted no further than `most`, and whether they have an index. */
async function extentOf(
  database: Pick<Database, 'row'>,
  scope: Scope,
  most: Extent,
): Promise<Extent & { indexed: boolean }> {
  const row = await database.row<Extent & { indexed: boolean }>(
    sql`SELECT (SELECT count(*) FROM (SELECT 1 FROM record_vectors v WHERE ${inPartitions(scope)} LIMIT ${most.size}) v) AS size,
          (SELECT count(*) FROM (SELECT 1 FROM records r WHERE ${scope.where} LIMIT ${most.passing}) r) AS passing,
          ${isIndexed(scope.model)} AS indexed`,
  );
  return row!;
}

/** A narrow filter over a large scope: those that pass are looked at, and no others. */
async function amongFew(database: Pick<Database, 'rows'>, scope: Scope): Promise<Hit[]> {
  const rows = await database.rows<FoundRow>(
    sql`WITH few AS MATERIALIZED (
          SELECT r.rid FROM records r WHERE ${scope.where}
        ), near AS MATERIALIZED (
          SELECT v.rid, v.vector, v.vector <#> ${vectorText(scope.query)}::vector AS distance
          FROM few JOIN record_vectors v USING (rid) WHERE ${inPartitions(scope)}
        )
        SELECT ${RECORD_COLUMNS}, vector_send(near.vector) AS sent FROM near JOIN records r ON r.rid = near.rid
        ORDER BY near.distance, near.rid DESC LIMIT ${scope.limit + SPARE}`,
  );
  return ranked(rows, scope);
}

/** The vectors alone are put in order; then each record in turn is looked at, until there are enough. */
async function throughAll(database: Pick<Database, 'rows'>, scope: Scope): Promise<Hit[]> {
  const rows = await database.rows<FoundRow>(
    sql`SELECT ${RECORD_COLUMNS}, (SELECT vector_send(v.vector) FROM record_vectors v WHERE v.rid = r.rid) AS sent FROM (
          SELECT v.rid FROM record_vectors v WHERE ${inPartitions(scope)}
          ORDER BY v.vector <#> ${vectorText(scope.query)}::vector, v.rid DESC
        ) ordered CROSS JOIN LATERAL (
          SELECT * FROM records r WHERE r.rid = ordered.rid AND ${scope.where} LIMIT 1
        ) r LIMIT ${scope.limit + SPARE}`,
  );
  return ranked(rows, scope);
}

async function throughIndex(database: Pick<Database, 'rows' | 'snapshot'>, scope: Scope): Promise<Hit[]> {
  const { model, query, limit } = scope;
  const typed = raw(`vector(${model.dimensions})`);
  const question = sql`
    SELECT ${RECORD_COLUMNS}, vector_send(v.vector) AS sent FROM record_vectors v JOIN records r ON r.rid = v.rid
    WHERE ${inPartitions(scope)} AND ${scope.where}
    ORDER BY v.vector::${typed} <#> ${vectorText(query)}::${typed} LIMIT ${limit + SPARE}`;
  const effort = Math.min(MOST_EFFORT, 2 * limit);
  if (effort <= USUAL_EFFORT) return ranked(await database.rows<FoundRow>(question), scope);
  return database.snapshot(async (session) => {
    await session.command(`SET LOCAL hnsw.ef_search = ${effort}`);
    return ranked(await session.rows<FoundRow>(question), scope);
  });
}

/** By similarity, then the newer first. */
function ranked(rows: readonly FoundRow[], { query, limit }: Scope): Hit[] {
  return rows
    .map(({ sent, ...row }) => ({ row, similarity: cosine(query, readVector(sent)) }))
    .sort((a, b) => b.similarity - a.similarity || b.row.rid - a.row.rid)
    .slice(0, limit);
}

/** The index of pgvector over the vectors of one model: made in the background, once there are so many that it pays. */

import type { StoredModel } from '../../common/stored-model.ts';
import type { Database } from '../database.ts';
import { LOCK_SPACE } from '../migrate.ts';
import { Session } from '../session.ts';
import { type Sql, sql } from '../sql.ts';

/** pgvector takes no more for an index; beyond it all vectors are looked at. */
const MOST_DIMENSIONS = 2_000;
const BUILDING = 2;

const indexName = ({ key }: StoredModel): string => `record_vectors_nearest_${key}`;

/** Whether there is one that can be used. */
export const isIndexed = (model: StoredModel): Sql =>
  sql`COALESCE((SELECT i.indisvalid FROM pg_index i WHERE i.indexrelid = to_regclass(${indexName(model)})), FALSE)`;

/** Nobody waits for it, and nobody is kept from writing. One process makes it; the others continue. */
export async function buildIndex(database: Database, model: StoredModel): Promise<void> {
  if (model.dimensions > MOST_DIMENSIONS) return;
  const client = await database.dedicated({ statement_timeout: 0, lock_timeout: 0 });
  // A process that has nothing else to do need not wait: the server continues by itself.
  client.unref();
  try {
    const session = new Session(client, database.watch);
    const turn = await session.row<{ got: boolean }>(
      sql`SELECT pg_try_advisory_lock(${LOCK_SPACE + BUILDING}, ${model.key}) AS got`,
    );
    if (!turn!.got) return;
    // Another process may have made it a moment ago.
    const made = await session.row<{ indexed: boolean }>(sql`SELECT ${isIndexed(model)} AS indexed`);
    if (made!.indexed) return;
    const name = indexName(model);
    // What an interrupted build has left is of no use.
    await session.command(`DROP INDEX IF EXISTS ${name}`);
    await session.command(
      `CREATE INDEX CONCURRENTLY ${name} ON record_vectors
       USING hnsw ((vector::vector(${model.dimensions})) vector_ip_ops) WHERE model = ${model.key}`,
    );
  } finally {
    // Ends the lock as well.
    await client.end();
  }
}

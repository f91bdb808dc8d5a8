/** The position of an external index: its id, the last processed number, and unconfirmed changes. */
import { randomBytes } from 'node:crypto';
import type { FeedPosition } from '../../../ports/vector-feed.ts';
import { raw, type Sql, sql } from '../sql.ts';
import { decodeText } from '../text-values.ts';
import type { WriteTransaction } from '../write-transaction.ts';

const IDENTITY_BYTES = 8;

export const WAITS = raw('c.carried <> c.change');

export interface PositionRow {
  readonly identity: string;
  readonly last: number;
  readonly waiting: readonly (readonly [id: string, carried: number])[] | null;
}

/** Of `vector_feed f`; all in one statement, so that it is one moment and one way over the network. */
export const positionColumns = (limit: number): Sql => sql`f.identity,
  COALESCE((SELECT max(change) FROM vector_changes), 0) AS last,
  (SELECT json_agg(json_build_array(id, carried) ORDER BY change) FROM (
     SELECT r.id, c.carried, c.change FROM vector_changes c JOIN records r ON r.rid = c.rid
     WHERE ${WAITS} ORDER BY c.change LIMIT ${limit}
   ) waiting) AS waiting`;

export function toPosition({ identity, last, waiting }: PositionRow): FeedPosition {
  return {
    identity,
    last,
    waiting: (waiting ?? []).map(([id, carried]) => ({ id: decodeText(id), carried })),
  };
}

/** Inside a transaction that writes. */
export async function attachIn(transaction: WriteTransaction): Promise<{ readonly identity: string }> {
  const present = await transaction.row<{ identity: string }>(sql`SELECT identity FROM vector_feed`);
  if (present !== undefined) return present;
  const identity = randomBytes(IDENTITY_BYTES).toString('hex');
  await transaction.run(sql`INSERT INTO vector_feed (identity) VALUES (${identity})`);
  await transaction.run(
    sql`INSERT INTO vector_changes (rid, first, change)
        SELECT rid, number, number FROM (SELECT rid, nextval('vector_feed_numbers') AS number
          FROM (SELECT rid FROM record_vectors ORDER BY rid) v) numbered`,
  );
  return { identity };
}

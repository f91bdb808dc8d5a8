/** Inserts a new record into all its tables with one statement: round trips are what costs. */
import type { Embedding, StoredRecord } from '../../ports/record-store.ts';
import { partitionOf } from '../common/partitions.ts';
import { userColumn } from '../common/record-columns.ts';
import { wordsOf } from '../common/record-words.ts';
import { recordIndex } from './record-index.ts';
import { raw, type Sql, sql } from './sql.ts';
import { storable } from './vectors/vector-rows.ts';
import type { WriteTransaction } from './write-transaction.ts';

export interface NewRow {
  readonly record: StoredRecord;
  readonly digest: Buffer;
  readonly embedding: Embedding | undefined;
}

export interface Inserted {
  readonly rid: number;
  /** How many facts its agent has now, with its user if it is about one; only if the record counts. */
  readonly facts: number;
}

export async function insertRecord(
  transaction: WriteTransaction,
  row: NewRow,
  rid = transaction.next('record'),
): Promise<Inserted> {
  return (await insertIf(transaction, row, rid, raw('TRUE')))!;
}

/** Undefined, and nothing was written, if a live record is the same, or if no agent has exactly this name yet. */
export async function insertIfNew(
  transaction: WriteTransaction,
  row: NewRow,
  now: number,
): Promise<Inserted | undefined> {
  const { record, digest } = row;
  const isNew = sql`EXISTS (SELECT 1 FROM agents WHERE name = ${record.agent}) AND NOT EXISTS (
    SELECT 1 FROM records r WHERE r.digest = ${digest} AND r.forgotten_at IS NULL
    AND (r.expires_at IS NULL OR r.expires_at > ${now})
  )`;
  const inserted = await insertIf(transaction, row, transaction.next('record'), isNew);
  // Numbers have no gaps.
  if (inserted === undefined) transaction.count('record', -1);
  return inserted;
}

async function insertIf(
  transaction: WriteTransaction,
  row: NewRow,
  rid: number,
  condition: Sql,
): Promise<Inserted | undefined> {
  const { record: r, digest } = row;
  // A forgotten record keeps its row, and nothing by which it could be found.
  const isFindable = r.forgottenAt === null;
  const words = wordsOf(r);
  const indexes = isFindable ? await indexesOf(transaction, row, words) : raw('');
  const facts = factsAfter(r);
  const found = await transaction.row<{ facts: number }>(
    sql`WITH record AS (
          INSERT INTO records (rid, id, agent, user_id, scope, source, category, confidence, content, tags, metadata, origin,
            pinned, thread, created_at, updated_at, valid_from, expires_at, expiry_reason, supersedes, superseded_by,
            forgotten_at, version, change, changed_by, access_count, accessed_at, injected_count, counted, digest)
          SELECT ${rid}, ${r.id}, ${r.agent}, ${userColumn(r.user)}, ${r.scope}, ${r.source}, ${r.category}, ${r.confidence}, ${r.content},
            ${r.tags}::text[], ${JSON.stringify(r.metadata)}, ${r.origin}, ${r.pinned}, ${r.thread}, ${r.createdAt},
            ${r.updatedAt}, ${r.validFrom}, ${r.expiresAt}, ${r.expiryReason}, ${r.supersedes}, ${r.supersededBy},
            ${r.forgottenAt}, ${r.version}, ${r.change}, ${r.changedBy}, ${r.accessCount}, ${r.lastAccessedAt},
            ${r.injectedCount}, ${r.counted}, ${digest}
          WHERE ${condition} RETURNING rid
        ) ${indexes}
        ${facts}`,
  );
  if (found === undefined) return undefined;
  if (isFindable) recordIndex.added(transaction, words, words.length);
  return { rid, facts: found.facts };
}

/** Counts it, with its user if it is about one, who is registered by that. */
function factsAfter(r: StoredRecord): Sql {
  if (r.user !== null)
    return sql`INSERT INTO agent_users (agent, user_id, created_at, facts)
      SELECT ${r.agent}, ${r.user}, ${r.createdAt}, ${Number(r.counted)}::int FROM record
      ON CONFLICT (agent, user_id) DO UPDATE SET facts = agent_users.facts + excluded.facts RETURNING facts`;
  return r.counted
    ? sql`UPDATE agents SET facts = facts + 1 FROM record WHERE name = ${r.agent} RETURNING facts`
    : raw('SELECT 0 AS facts FROM record');
}

/** Its words, and its vector or its place in the queue for one: further parts of the statement. */
async function indexesOf(
  transaction: WriteTransaction,
  { record: r, embedding }: NewRow,
  { words, frequencies, shared, length }: ReturnType<typeof wordsOf>,
): Promise<Sql> {
  const vector = embedding === undefined ? undefined : await storable(transaction, embedding);
  const place =
    vector === undefined
      ? raw('INSERT INTO embedding_queue SELECT rid FROM record')
      : sql`INSERT INTO record_vectors (rid, model, version, silo, vector)
            SELECT rid, ${vector.model}, ${r.version}, ${partitionOf(r)}, ${vector.text}::vector FROM record`;
  return sql`, words AS (
      INSERT INTO record_words (rid, agent, user_id, shared, words, frequencies, length)
      SELECT rid, ${r.agent}, ${userColumn(r.user)}, ${shared}, ${words}::text[], ${frequencies}::float8[], ${length} FROM record
    ), place AS (${place})`;
}

/** Puts a new record into all its tables with one statement: the way over the network is what costs. */
import type { Change, MemoryRecord } from '../../kernel/record.ts';
import type { Embedding } from '../../ports/record-store.ts';
import type { Lane } from './lane.ts';
import { recordIndex, wordsOf } from './record-index.ts';
import { raw, type Sql, sql } from './sql.ts';
import { siloOf, storable } from './vectors/vector-rows.ts';

export interface NewRow {
  readonly record: Omit<MemoryRecord, 'state'>;
  readonly change: Change;
  readonly changedBy: string;
  readonly counted: boolean;
  readonly digest: Buffer;
  readonly embedding: Embedding | undefined;
}

/** Resolves to its number and to how many facts its agent has now, if that has changed. */
export async function insertRecord(
  lane: Lane,
  row: NewRow,
  rid = lane.next('record'),
): Promise<{ rid: number; facts: number }> {
  const { record: r, counted } = row;
  // What was forgotten has a place and nothing by which it could be found.
  const indexes = r.forgottenAt === null ? await indexesOf(lane, rid, row) : raw('');
  const facts = counted
    ? sql`UPDATE agents SET facts = facts + 1 WHERE name = ${r.agent} RETURNING facts`
    : raw('SELECT 0 AS facts');
  const found = await lane.row<{ facts: number }>(
    sql`WITH record AS (
          INSERT INTO records (rid, id, agent, scope, source, category, confidence, content, tags, metadata, origin,
            pinned, thread, created_at, updated_at, valid_from, expires_at, expiry_reason, supersedes, superseded_by,
            forgotten_at, version, change, changed_by, access_count, accessed_at, injected_count, counted, digest)
          VALUES (${rid}, ${r.id}, ${r.agent}, ${r.scope}, ${r.source}, ${r.category}, ${r.confidence}, ${r.content},
            ${r.tags}::text[], ${JSON.stringify(r.metadata)}, ${r.origin}, ${r.pinned}, ${r.thread}, ${r.createdAt},
            ${r.updatedAt}, ${r.validFrom}, ${r.expiresAt}, ${r.expiryReason}, ${r.supersedes}, ${r.supersededBy},
            ${r.forgottenAt}, ${r.version}, ${row.change}, ${row.changedBy}, ${r.accessCount}, ${r.lastAccessedAt},
            ${r.injectedCount}, ${counted}, ${row.digest})
        ) ${indexes}
        ${facts}`,
  );
  return { rid, facts: found!.facts };
}

/** Its words, and its vector or its place in the queue for one: further parts of the statement. */
async function indexesOf(lane: Lane, rid: number, { record: r, embedding }: NewRow): Promise<Sql> {
  const { words, frequencies, shared, length } = wordsOf(r);
  const vector = embedding === undefined ? undefined : await storable(lane, embedding);
  recordIndex.added(lane, { words }, length);
  const place =
    vector === undefined
      ? sql`INSERT INTO embedding_queue VALUES (${rid})`
      : sql`INSERT INTO record_vectors (rid, model, version, silo, vector)
            VALUES (${rid}, ${vector.model}, ${r.version}, ${siloOf(r)}, ${vector.text}::vector)`;
  return sql`, words AS (
      INSERT INTO record_words (rid, agent, shared, words, frequencies, length)
      VALUES (${rid}, ${r.agent}, ${shared}, ${words}::text[], ${frequencies}::float8[], ${length})
    ), place AS (${place})`;
}

/** Writes vectors, always inside the transaction that changes their record: a record has its vector or waits for one. */
import type { Scope } from '../../../kernel/scope.ts';
import type { Embedding } from '../../../ports/record-store.ts';
import { partitionOf } from '../../common/partitions.ts';
import { unitVector } from '../../common/vector-math.ts';
import { sql } from '../sql.ts';
import type { WriteTransaction } from '../write-transaction.ts';
import { ensureModel } from './embedding-models.ts';
import { vectorText } from './vector-format.ts';

export interface Placed {
  readonly rid: number;
  readonly agent: string;
  readonly user: string | null;
  readonly scope: Scope;
  readonly version: number;
}

interface Text {
  readonly content: string;
}

/** A vector that may be stored: of length 1, of a model that is known by then. */
export interface StorableVector {
  readonly model: number;
  readonly text: string;
}

export async function storable(transaction: WriteTransaction, embedding: Embedding): Promise<StorableVector> {
  const vector = unitVector(embedding);
  const { length } = vector;
  const { key } = await transaction.known(`${length} ${embedding.model}`, () =>
    ensureModel(transaction, embedding.model, length),
  );
  return { model: key, text: vectorText(vector) };
}

/** For a record that becomes another version; `before` is the row as it was. */
export async function changeVector(
  transaction: WriteTransaction,
  before: Placed & Text,
  after: Pick<Placed, 'scope'> & Text,
  embedding: Embedding | undefined,
): Promise<void> {
  const { rid, agent, user, version } = before;
  const { scope, content } = after;
  if (embedding !== undefined)
    await replaceVector(transaction, { rid, agent, user, scope, version: version + 1 }, embedding);
  else if (content !== before.content) await outdateVector(transaction, rid);
  else if (scope !== before.scope)
    await transaction.run(
      sql`UPDATE record_vectors SET silo = ${partitionOf({ agent, user, scope })} WHERE rid = ${rid}`,
    );
}

export async function replaceVector(
  transaction: WriteTransaction,
  record: Placed,
  embedding: Embedding,
): Promise<void> {
  const { model, text } = await storable(transaction, embedding);
  await transaction.run(
    sql`WITH waiting AS (DELETE FROM embedding_queue WHERE rid = ${record.rid})
        INSERT INTO record_vectors (rid, model, version, silo, vector)
        VALUES (${record.rid}, ${model}, ${record.version}, ${partitionOf(record)}, ${text}::vector)
        ON CONFLICT (rid) DO UPDATE
        SET model = excluded.model, version = excluded.version, silo = excluded.silo, vector = excluded.vector`,
  );
}

/** Nothing of it stays. */
export async function eraseVectors(transaction: WriteTransaction, rids: readonly number[]): Promise<void> {
  await transaction.run(
    sql`WITH waiting AS (DELETE FROM embedding_queue WHERE rid = ANY(${rids}::bigint[])),
          aside AS (DELETE FROM vectors_aside WHERE rid = ANY(${rids}::bigint[]))
        DELETE FROM record_vectors WHERE rid = ANY(${rids}::bigint[])`,
  );
}

/** The text is another one now: the record waits. */
async function outdateVector(transaction: WriteTransaction, rid: number): Promise<void> {
  await transaction.run(
    sql`WITH outdated AS (DELETE FROM record_vectors WHERE rid = ${rid} RETURNING rid)
        INSERT INTO embedding_queue SELECT rid FROM outdated`,
  );
}

/** Reads and writes records exactly as they are stored, for archives that lose nothing. */
import { isDeepStrictEqual } from 'node:util';
import type {
  CopyContext,
  CopyOutcome,
  CopyQuery,
  FullCopy,
  IncomingCopy,
  KeyCopy,
  MirrorOutcome,
  RecordCopies,
  RecordCopy,
} from '../../ports/record-copies.ts';
import { copyOf, decideCopy } from '../../records/rules/decide-copy.ts';
import { wroteEvent } from '../../records/rules/record-events.ts';
import { noDigest, recordDigest } from '../common/digest.ts';
import { userOf } from '../common/record-columns.ts';
import { addFacts, ensureAgent } from './agent-counters.ts';
import type { Database } from './database.ts';
import type { PostgresEventStore } from './event-store.ts';
import type { GroupWriter } from './group-writer.ts';
import { unindex } from './record-index.ts';
import { insertRecord } from './record-insert.ts';
import { earlierVersions } from './record-reader.ts';
import { findRecord, RECORD_COLUMNS, type RecordRow, toStored } from './record-rows.ts';
import type { Session } from './session.ts';
import { raw, sql } from './sql.ts';
import { readVector } from './vectors/vector-format.ts';
import { eraseVectors } from './vectors/vector-rows.ts';
import type { WriteTransaction } from './write-transaction.ts';

export class PostgresRecordCopies implements RecordCopies {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #events: PostgresEventStore;

  constructor(database: Database, writer: GroupWriter, events: PostgresEventStore) {
    this.#database = database;
    this.#writer = writer;
    this.#events = events;
  }

  async count(agent?: string): Promise<number> {
    const ofAgent = agent === undefined ? raw('') : sql`WHERE agent = ${agent}`;
    const row = await this.#database.row<{ count: number }>(
      sql`SELECT count(*) AS count FROM records ${ofAgent}`,
    );
    return row!.count;
  }

  read(query: CopyQuery): Promise<readonly RecordCopy[]> {
    return this.#database.snapshot(async (session) => {
      const copies: RecordCopy[] = [];
      for (const row of await page(session, query)) copies.push(await readCopy(session, row));
      return copies;
    });
  }

  readFull(query: CopyQuery): Promise<readonly FullCopy[]> {
    return this.#database.snapshot(async (session) => fullCopiesOf(session, await page(session, query)));
  }

  write(copies: readonly IncomingCopy[], context: CopyContext): Promise<readonly CopyOutcome[]> {
    return this.#writer.run(async (transaction) => {
      const outcomes: CopyOutcome[] = [];
      for (const copy of copies) outcomes.push(await this.#write(transaction, copy, context));
      return outcomes;
    });
  }

  mirror(copies: readonly FullCopy[]): Promise<readonly MirrorOutcome[]> {
    return this.#writer.run(async (transaction) => {
      const ids = copies.map(({ id }) => id);
      const rows = await transaction.rows<RecordRow>(
        sql`SELECT ${RECORD_COLUMNS} FROM records r WHERE r.id = ANY(${ids}::text[])`,
      );
      const present = new Map(
        (await fullCopiesOf(transaction, rows)).map((copy, i) => [copy.id, { copy, row: rows[i]! }]),
      );
      const outcomes: MirrorOutcome[] = [];
      for (const copy of copies) outcomes.push(await mirrorOne(transaction, copy, present.get(copy.id)));
      return outcomes;
    });
  }

  async #write(
    transaction: WriteTransaction,
    copy: IncomingCopy,
    context: CopyContext,
  ): Promise<CopyOutcome> {
    const outcome = decideCopy(await findRecord(transaction, copy.id), copy);
    if (outcome !== 'added' || context.dryRun) return outcome;
    await insert(transaction, copy);
    // Other processes learn from the event that there is something new to search.
    if (copy.forgottenAt === null)
      this.#events.write(transaction, [wroteEvent(copy, copy.version, copy.change, context)]);
    return outcome;
  }
}

async function insert(
  transaction: WriteTransaction,
  copy: IncomingCopy & Partial<FullCopy>,
  number?: number,
): Promise<void> {
  const { embedding, earlier, keys = [], ...record } = copy;
  const digest = record.forgottenAt === null ? recordDigest(record) : noDigest();
  await transaction.known(`agent ${record.agent}`, () =>
    ensureAgent(transaction, record.agent, record.createdAt),
  );
  const { rid } = await insertRecord(transaction, { record, digest, embedding }, number);
  for (const { version, change, changedAt, changedBy, ...snapshot } of earlier) {
    await transaction.run(
      sql`INSERT INTO record_versions (rid, version, change, changed_at, changed_by, snapshot)
          VALUES (${rid}, ${version}, ${change}, ${changedAt}, ${changedBy}, ${JSON.stringify(snapshot)})`,
    );
  }
  for (const { key, digest: first } of keys) {
    await transaction.run(
      sql`INSERT INTO record_keys (agent, key, rid, digest)
          VALUES (${record.agent}, ${Buffer.from(key, 'hex')}, ${rid}, ${Buffer.from(first, 'hex')})
          ON CONFLICT DO NOTHING`,
    );
  }
}

async function mirrorOne(
  transaction: WriteTransaction,
  copy: FullCopy,
  present: { readonly copy: FullCopy; readonly row: RecordRow } | undefined,
): Promise<MirrorOutcome> {
  if (present === undefined) {
    await insert(transaction, copy);
    return 'added';
  }
  if (isDeepStrictEqual(present.copy, copy)) return 'present';
  await remove(transaction, present.row);
  await insert(transaction, copy, present.row.rid);
  return 'replaced';
}

/** Its row number stays free for the record that replaces it. */
async function remove(
  transaction: WriteTransaction,
  { rid, agent, user_id, counted }: RecordRow,
): Promise<void> {
  await unindex(transaction, [rid]);
  await eraseVectors(transaction, [rid]);
  if (counted) await addFacts(transaction, { agent, user: userOf(user_id) }, -1);
  for (const table of ['record_keys', 'record_versions', 'records'])
    await transaction.run(sql`DELETE FROM ${raw(table)} WHERE rid = ${rid}`);
}

type Reading = Pick<Session, 'rows'>;

function page(session: Reading, { agent, after, limit }: CopyQuery): Promise<RecordRow[]> {
  const ofAgent = agent === undefined ? raw('') : sql`AND r.agent = ${agent}`;
  return session.rows<RecordRow>(
    sql`SELECT ${RECORD_COLUMNS} FROM records r
        WHERE r.rid > COALESCE((SELECT rid FROM records WHERE id = ${after ?? null}), 0) ${ofAgent}
        ORDER BY r.rid LIMIT ${limit}`,
  );
}

/** Of a whole page at once: round trips are what costs. */
async function fullCopiesOf(session: Reading, rows: readonly RecordRow[]): Promise<FullCopy[]> {
  const rids = rows.map(({ rid }) => rid);
  const keys = Map.groupBy(
    await session.rows<KeyCopy & { rid: number }>(
      sql`SELECT rid, encode(key, 'hex') AS key, encode(digest, 'hex') AS digest FROM record_keys
          WHERE rid = ANY(${rids}::bigint[]) ORDER BY rid, record_keys.key`,
    ),
    ({ rid }) => rid,
  );
  const vectors = await session.rows<{ rid: number; id: string; sent: Buffer }>(
    sql`SELECT v.rid, m.id, vector_send(v.vector) AS sent FROM record_vectors v
        JOIN embedding_models m ON m.key = v.model WHERE v.rid = ANY(${rids}::bigint[])`,
  );
  const embeddings = new Map(
    vectors.map(({ rid, id, sent }) => [rid, { embedding: { model: id, vector: readVector(sent) } }]),
  );
  const copies: FullCopy[] = [];
  for (const row of rows) {
    copies.push({
      ...(await readCopy(session, row)),
      keys: (keys.get(row.rid) ?? []).map(({ key, digest }) => ({ key, digest })),
      ...embeddings.get(row.rid),
    });
  }
  return copies;
}

async function readCopy(session: Reading, row: RecordRow): Promise<RecordCopy> {
  const { rid: _, ...stored } = toStored(row);
  return copyOf(stored, row.version === 1 ? [] : await earlierVersions(session, row));
}

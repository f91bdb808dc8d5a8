/** Records as they are, out of the database and into it: for archives that lose nothing. */
import type { CopyOutcome, CopyQuery, RecordCopies, RecordCopy } from '../../ports/record-copies.ts';
import type { Embedding, WriteContext } from '../../ports/record-store.ts';
import { noDigest, recordDigest } from '../common/digest.ts';
import { wroteEvent } from '../common/record-events.ts';
import type { Database } from './database.ts';
import type { PostgresEventStore } from './event-store.ts';
import type { GroupWriter } from './group-writer.ts';
import type { Lane } from './lane.ts';
import { insertRecord } from './record-insert.ts';
import { versionsOf } from './record-reader.ts';
import { RECORD_COLUMNS, type RecordRow, toRecord } from './record-rows.ts';
import { visibleRow } from './record-writer.ts';
import type { Session } from './session.ts';
import { ensureAgent } from './silos.ts';
import { raw, sql } from './sql.ts';

type Incoming = RecordCopy & { readonly embedding?: Embedding | undefined };
type Context = WriteContext & { readonly dryRun: boolean };

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

  read({ agent, after, limit }: CopyQuery): Promise<readonly RecordCopy[]> {
    const ofAgent = agent === undefined ? raw('') : sql`AND r.agent = ${agent}`;
    return this.#database.snapshot(async (session) => {
      const rows = await session.rows<RecordRow>(
        sql`SELECT ${RECORD_COLUMNS} FROM records r
            WHERE r.rid > COALESCE((SELECT rid FROM records WHERE id = ${after ?? null}), 0) ${ofAgent}
            ORDER BY r.rid LIMIT ${limit}`,
      );
      const copies: RecordCopy[] = [];
      for (const row of rows) copies.push(await copyOf(session, row));
      return copies;
    });
  }

  write(copies: readonly Incoming[], context: Context): Promise<readonly CopyOutcome[]> {
    return this.#writer.run(async (lane) => {
      const outcomes: CopyOutcome[] = [];
      for (const copy of copies) outcomes.push(await this.#write(lane, copy, context));
      return outcomes;
    });
  }

  async #write(lane: Lane, copy: Incoming, context: Context): Promise<CopyOutcome> {
    const present = await visibleRow(lane, copy.id, { role: 'admin' });
    if (present !== undefined) return compare(present, copy);
    if (!context.dryRun) await this.#insert(lane, copy, context);
    return 'added';
  }

  async #insert(lane: Lane, copy: Incoming, context: WriteContext): Promise<void> {
    const { embedding, earlier, change, changedBy, counted, ...record } = copy;
    const isForgotten = record.forgottenAt !== null;
    const digest = isForgotten ? noDigest() : recordDigest(record);
    await ensureAgent(lane, record.agent, record.createdAt);
    const { rid } = await insertRecord(lane, { record, change, changedBy, counted, digest, embedding });
    for (const { version, change: was, changedAt, changedBy: by, ...snapshot } of earlier) {
      await lane.run(
        sql`INSERT INTO record_versions (rid, version, change, changed_at, changed_by, snapshot)
            VALUES (${rid}, ${version}, ${was}, ${changedAt}, ${by}, ${JSON.stringify(snapshot)})`,
      );
    }
    // Other processes learn from the event that there is something new to search.
    if (!isForgotten) this.#events.write(lane, [wroteEvent(record, record.version, change, context)]);
  }
}

async function copyOf(session: Session, row: RecordRow): Promise<RecordCopy> {
  const { state: _, ...record } = toRecord(row, row.created_at);
  const versions = row.version === 1 ? [] : (await versionsOf(session, row)).slice(0, -1);
  return {
    ...record,
    expiryReason: row.expiry_reason,
    counted: row.counted,
    change: row.change,
    changedBy: row.changed_by,
    earlier: versions.map(({ id: _id, ...version }) => version),
  };
}

function compare(present: RecordRow, copy: RecordCopy): CopyOutcome {
  if (present.forgotten_at !== null) return copy.forgottenAt === null ? 'forgotten' : 'present';
  const isSame =
    copy.forgottenAt === null &&
    present.version === copy.version &&
    present.updated_at === copy.updatedAt &&
    present.content === copy.content &&
    present.agent === copy.agent;
  return isSame ? 'present' : 'differs';
}

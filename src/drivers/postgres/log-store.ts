/** The log of messages in Postgres. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import type {
  AppendNotes,
  LogMessage,
  LogQuery,
  LogStore,
  LogTextQuery,
  MessageDraft,
  MessageEdit,
  ThreadQuery,
} from '../../ports/log-store.ts';
import { digestOf } from '../common/digest.ts';
import type { Database } from './database.ts';
import type { GroupWriter } from './group-writer.ts';
import { indexMessage, messageIndex, unindexMessages } from './message-index.ts';
import { joined, raw, type Sql, sql } from './sql.ts';
import type { WriteTransaction } from './write-transaction.ts';

interface MessageRow {
  readonly seq: number;
  readonly id: string;
  readonly agent: string;
  readonly thread: string;
  readonly run: string | null;
  readonly role: string;
  readonly content: string;
  readonly metadata: string;
  readonly at: number;
  readonly edited_at: number | null;
  readonly deleted_at: number | null;
}

const COLUMNS = raw(
  'm.seq, m.id, m.agent, m.thread, m.run, m.role, m.content, m.metadata, m.at, m.edited_at, m.deleted_at',
);

function toMessage(row: MessageRow): LogMessage {
  const { edited_at: editedAt, deleted_at: deletedAt, content, metadata, ...rest } = row;
  return {
    ...rest,
    content: JSON.parse(content) as JsonValue,
    metadata: JSON.parse(metadata) as JsonObject,
    editedAt,
    deletedAt,
  };
}

function conditions({ agent, thread, run }: ThreadQuery, more: readonly (Sql | undefined)[]): Sql {
  const all = [
    raw('TRUE'),
    agent === undefined ? undefined : sql`m.agent = ${agent}`,
    thread === undefined ? undefined : sql`md5(m.thread) = md5(${thread}) AND m.thread = ${thread}`,
    run === undefined ? undefined : sql`m.run = ${run}`,
    ...more,
  ];
  return joined(
    all.filter((each) => each !== undefined),
    ' AND ',
  );
}

const NOT_DELETED = raw('m.deleted_at IS NULL');

export class PostgresLogStore implements LogStore {
  readonly #database: Database;
  readonly #writer: GroupWriter;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
  }

  append(messages: readonly MessageDraft[], notes: AppendNotes = {}): Promise<readonly LogMessage[]> {
    return this.#writer.run(async (transaction) => {
      const stored: LogMessage[] = [];
      for (const message of messages) stored.push(await appendMessage(transaction, message));
      await note(transaction, notes);
      return stored;
    });
  }

  retract(ids: readonly string[], notes: AppendNotes = {}): Promise<void> {
    return this.#writer.run(async (transaction) => {
      await unindexMessages(transaction, ids);
      await transaction.run(sql`DELETE FROM messages WHERE id = ANY(${ids}::text[])`);
      await note(transaction, notes);
    });
  }

  edit(edits: readonly MessageEdit[]): Promise<void> {
    return this.#writer.run(async (transaction) => {
      for (const edit of edits) await changeMessage(transaction, edit);
    });
  }

  async read(query: LogQuery): Promise<readonly LogMessage[]> {
    const { after, before, newest = false, includeDeleted = false, limit } = query;
    const where = conditions(query, [
      after === undefined ? undefined : sql`m.seq > ${after}`,
      before === undefined ? undefined : sql`m.seq < ${before}`,
      includeDeleted ? undefined : NOT_DELETED,
    ]);
    const rows = await this.#database.rows<MessageRow>(
      sql`SELECT ${COLUMNS} FROM messages m WHERE ${where}
          ORDER BY m.seq ${raw(newest ? 'DESC' : 'ASC')} LIMIT ${limit}`,
    );
    if (newest) rows.reverse();
    return rows.map(toMessage);
  }

  async get(id: string): Promise<LogMessage | null> {
    const row = await this.#database.row<MessageRow>(
      sql`SELECT ${COLUMNS} FROM messages m WHERE m.id = ${id}`,
    );
    return row === undefined ? null : toMessage(row);
  }

  async search({ terms, before, limit, ...thread }: LogTextQuery): Promise<readonly LogMessage[]> {
    if (terms.length === 0) return [];
    const where = conditions(thread, [
      NOT_DELETED,
      before === undefined ? undefined : sql`m.seq < ${before}`,
    ]);
    const allowed = thread.agent === undefined ? raw('TRUE') : sql`w.agent = ${thread.agent}`;
    const rows = await messageIndex.best<MessageRow>(this.#database, {
      ...{ words: terms, allowed, limit, columns: COLUMNS, where },
    });
    return rows.map(({ score: _, ...row }) => toMessage(row as MessageRow));
  }

  async count(query: ThreadQuery): Promise<number> {
    const row = await this.#database.row<{ count: number }>(
      sql`SELECT count(*) AS count FROM messages m WHERE ${conditions(query, [NOT_DELETED])}`,
    );
    return row!.count;
  }

  async boundary(agent: string, thread: string): Promise<number> {
    const row = await this.#database.row<{ boundary: number }>(
      sql`SELECT boundary FROM threads WHERE agent = ${agent} AND thread = ${digestOf(thread)}`,
    );
    return row?.boundary ?? 0;
  }

  async journal(key: string): Promise<JsonObject | null> {
    const row = await this.#database.row<{ entry: string }>(
      sql`SELECT entry FROM journals WHERE key = ${digestOf(key)}`,
    );
    return row === undefined ? null : (JSON.parse(row.entry) as JsonObject);
  }

  threads(): Promise<readonly { agent: string; thread: string; messages: number; lastAt: number }[]> {
    return this.#database.rows(
      sql`SELECT agent, thread, count(*) AS messages, max(at) AS "lastAt" FROM messages
          WHERE deleted_at IS NULL GROUP BY agent, thread ORDER BY agent COLLATE "C", thread COLLATE "C"`,
    );
  }
}

async function appendMessage(transaction: WriteTransaction, message: MessageDraft): Promise<LogMessage> {
  const { id, agent, thread, run, role, content, metadata, at, text } = message;
  const present = await messageOf(transaction, id);
  if (present !== undefined) return toMessage(present);
  const seq = transaction.next('message');
  await transaction.run(
    sql`INSERT INTO messages (seq, id, agent, thread, run, role, content, metadata, at)
        VALUES (${seq}, ${id}, ${agent}, ${thread}, ${run}, ${role}, ${JSON.stringify(content)},
          ${JSON.stringify(metadata)}, ${at})`,
  );
  await indexMessage(transaction, { seq, agent, text });
  return { id, agent, thread, run, role, content, metadata, at, seq, editedAt: null, deletedAt: null };
}

function messageOf(transaction: WriteTransaction, id: string): Promise<MessageRow | undefined> {
  return transaction.row<MessageRow>(sql`SELECT ${COLUMNS} FROM messages m WHERE m.id = ${id}`);
}

async function changeMessage(
  transaction: WriteTransaction,
  { id, at, content, text }: MessageEdit,
): Promise<void> {
  const row = await messageOf(transaction, id);
  if (row === undefined) {
    throw new KeepsakeError('NOT_FOUND', `There is no message ${id} in the log.`, {
      hint: 'See "keepsake log get" for the ids.',
    });
  }
  await unindexMessages(transaction, [id]);
  if (content === null) {
    await transaction.run(
      sql`UPDATE messages SET content = 'null', metadata = '{}', deleted_at = ${at} WHERE seq = ${row.seq}`,
    );
    return;
  }
  await transaction.run(
    sql`UPDATE messages SET content = ${JSON.stringify(content)}, edited_at = ${at} WHERE seq = ${row.seq}`,
  );
  await indexMessage(transaction, { seq: row.seq, agent: row.agent, text });
}

async function note(transaction: WriteTransaction, { journal, boundary }: AppendNotes): Promise<void> {
  if (journal !== undefined) {
    const key = digestOf(journal.key);
    await transaction.run(
      journal.entry === null
        ? sql`DELETE FROM journals WHERE key = ${key}`
        : sql`INSERT INTO journals (key, entry) VALUES (${key}, ${JSON.stringify(journal.entry)})
              ON CONFLICT (key) DO UPDATE SET entry = excluded.entry`,
    );
  }
  if (boundary !== undefined) {
    await transaction.run(
      sql`INSERT INTO threads (agent, thread, boundary)
          VALUES (${boundary.agent}, ${digestOf(boundary.thread)}, ${boundary.seq})
          ON CONFLICT (agent, thread) DO UPDATE SET boundary = excluded.boundary`,
    );
  }
}

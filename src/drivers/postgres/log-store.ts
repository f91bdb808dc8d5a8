/** The log of messages in Postgres. */
import { decideAppend, decideEdit } from '../../conversation/rules/decide-message.ts';
import type { JsonObject } from '../../kernel/json.ts';
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
import {
  afterPrefix,
  type MessageRow,
  messageOrNull,
  type ThreadRow,
  toMessage,
} from '../common/message-rows.ts';
import { storedJson } from '../common/stored-json.ts';
import type { Database } from './database.ts';
import type { GroupWriter } from './group-writer.ts';
import { indexMessage, messageIndex, unindexMessages } from './message-index.ts';
import { type Asking, joined, raw, type Sql, sql } from './sql.ts';
import type { WriteTransaction } from './write-transaction.ts';

const COLUMNS = raw(
  'm.seq, m.id, m.agent, m.thread, m.run, m.role, m.content, m.metadata, m.at, m.edited_at, m.deleted_at',
);

function conditions({ agent, thread, run, prefix }: ThreadQuery, more: readonly (Sql | undefined)[]): Sql {
  const all = [
    raw('TRUE'),
    agent === undefined ? undefined : sql`m.agent = ${agent}`,
    thread === undefined ? undefined : sql`md5(m.thread) = md5(${thread}) AND m.thread = ${thread}`,
    run === undefined ? undefined : sql`m.run = ${run}`,
    prefix === undefined ? undefined : begins(prefix),
    ...more,
  ];
  return joined(
    all.filter((each) => each !== undefined),
    ' AND ',
  );
}

/** Written so that the index of conversations with users is used. */
const begins = (prefix: string): Sql =>
  sql`m.thread LIKE '@%' AND m.thread COLLATE "C" >= ${prefix} AND m.thread COLLATE "C" < ${afterPrefix(prefix)}`;

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

  get(id: string): Promise<LogMessage | null> {
    return messageOf(this.#database, id);
  }

  async search({ terms, before, except, limit, ...thread }: LogTextQuery): Promise<readonly LogMessage[]> {
    if (terms.length === 0) return [];
    const where = conditions(thread, [
      NOT_DELETED,
      before === undefined ? undefined : sql`m.seq < ${before}`,
      except === undefined ? undefined : sql`m.thread <> ${except}`,
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
    return row === undefined ? null : storedJson<JsonObject>(row.entry);
  }

  threads(query: Pick<ThreadQuery, 'agent' | 'prefix'> = {}): Promise<readonly ThreadRow[]> {
    return this.#database.rows(
      sql`SELECT m.agent, m.thread, count(*) AS messages, max(m.at) AS "lastAt" FROM messages m
          WHERE ${conditions(query, [NOT_DELETED])}
          GROUP BY m.agent, m.thread ORDER BY m.agent COLLATE "C", m.thread COLLATE "C"`,
    );
  }
}

async function appendMessage(transaction: WriteTransaction, draft: MessageDraft): Promise<LogMessage> {
  const plan = decideAppend(await messageOf(transaction, draft.id), draft);
  if ('kept' in plan) return plan.kept;
  const { id, agent, thread, run, role, content, metadata, at } = plan.added;
  const seq = transaction.next('message');
  await transaction.run(
    sql`INSERT INTO messages (seq, id, agent, thread, run, role, content, metadata, at)
        VALUES (${seq}, ${id}, ${agent}, ${thread}, ${run}, ${role}, ${JSON.stringify(content)},
          ${JSON.stringify(metadata)}, ${at})`,
  );
  await indexMessage(transaction, { seq, agent, text: plan.text });
  return { ...plan.added, seq };
}

async function messageOf(session: Asking, id: string): Promise<LogMessage | null> {
  return messageOrNull(
    await session.row<MessageRow>(sql`SELECT ${COLUMNS} FROM messages m WHERE m.id = ${id}`),
  );
}

async function changeMessage(transaction: WriteTransaction, edit: MessageEdit): Promise<void> {
  const { message, text } = decideEdit(await messageOf(transaction, edit.id), edit);
  const { seq, agent, content, metadata, editedAt, deletedAt } = message;
  await unindexMessages(transaction, [edit.id]);
  await transaction.run(
    sql`UPDATE messages SET content = ${JSON.stringify(content)}, metadata = ${JSON.stringify(metadata)},
          edited_at = ${editedAt}, deleted_at = ${deletedAt} WHERE seq = ${seq}`,
  );
  if (text !== null) await indexMessage(transaction, { seq, agent, text });
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

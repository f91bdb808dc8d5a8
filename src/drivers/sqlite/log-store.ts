/** The log of messages in SQLite. */
import type { Database } from 'better-sqlite3';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import type { LogMessage, LogQuery, LogStore, MessageDraft } from '../../ports/log-store.ts';
import type { GroupWriter } from './group-writer.ts';

interface MessageRow {
  seq: number;
  id: string;
  agent: string;
  thread: string;
  run: string | null;
  role: string;
  content: string;
  metadata: string;
  at: number;
}

function fromRow(row: MessageRow): LogMessage {
  return {
    ...row,
    content: JSON.parse(row.content) as JsonValue,
    metadata: JSON.parse(row.metadata) as JsonObject,
  };
}

function where(query: Omit<LogQuery, 'limit' | 'newest'>): { sql: string; values: (string | number)[] } {
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  for (const column of ['agent', 'thread', 'run'] as const) {
    const value = query[column];
    if (value === undefined) continue;
    conditions.push(`${column} = ?`);
    values.push(value);
  }
  if (query.after !== undefined) {
    conditions.push('seq > ?');
    values.push(query.after);
  }
  if (query.before !== undefined) {
    conditions.push('seq < ?');
    values.push(query.before);
  }
  return { sql: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`, values };
}

export class SqliteLogStore implements LogStore {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #insert;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
    this.#insert = database.prepare(
      `INSERT INTO messages (id, agent, thread, run, role, content, metadata, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
  }

  append(messages: readonly MessageDraft[]): Promise<readonly LogMessage[]> {
    return this.#writer.run(() =>
      messages.map((message) => {
        const { id, agent, thread, run, role, content, metadata, at } = message;
        const result = this.#insert.run(
          id,
          agent,
          thread,
          run,
          role,
          JSON.stringify(content),
          JSON.stringify(metadata),
          at,
        );
        return { ...message, seq: Number(result.lastInsertRowid) };
      }),
    );
  }

  async read(query: LogQuery): Promise<readonly LogMessage[]> {
    const { sql, values } = where(query);
    const rows = this.#database
      .prepare(`SELECT * FROM messages ${sql} ORDER BY seq ${query.newest ? 'DESC' : 'ASC'} LIMIT ?`)
      .all(...values, query.limit) as MessageRow[];
    if (query.newest) rows.reverse();
    return rows.map(fromRow);
  }

  async count(query: Pick<LogQuery, 'agent' | 'thread' | 'run'>): Promise<number> {
    const { sql, values } = where(query);
    return this.#database
      .prepare(`SELECT count(*) FROM messages ${sql}`)
      .pluck()
      .get(...values) as number;
  }
}

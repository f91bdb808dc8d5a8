/** The log of messages in SQLite. */
import type { Database } from 'better-sqlite3';
import { analyze } from '../../kernel/analysis.ts';
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
import type { GroupWriter } from './group-writer.ts';
import { anyTerm, siloToken } from './match-expression.ts';
import { reading } from './reading.ts';

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
  edited_at: number | null;
  deleted_at: number | null;
}

interface Where {
  readonly conditions: string[];
  readonly values: (string | number)[];
}

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

function inThread(query: ThreadQuery): Where {
  const conditions: string[] = [];
  const values: string[] = [];
  for (const column of ['agent', 'thread', 'run'] as const) {
    const value = query[column];
    if (value === undefined) continue;
    conditions.push(`m.${column} = ?`);
    values.push(value);
  }
  return { conditions, values };
}

export class SqliteLogStore implements LogStore {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #statements;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
    this.#statements = prepareStatements(database);
  }

  append(messages: readonly MessageDraft[], notes: AppendNotes = {}): Promise<readonly LogMessage[]> {
    return this.#writer.run(() => {
      const stored = messages.map((message) => this.#append(message));
      this.#note(notes);
      return stored;
    });
  }

  retract(ids: readonly string[], notes: AppendNotes = {}): Promise<void> {
    return this.#writer.run(() => {
      for (const id of ids) {
        const seq = this.#statements.remove.get(id) as number | undefined;
        if (seq !== undefined) this.#statements.unindex.run(seq);
      }
      this.#note(notes);
    });
  }

  edit(edits: readonly MessageEdit[]): Promise<void> {
    return this.#writer.run(() => {
      for (const { id, at, content, text } of edits) {
        const row = this.#statements.byId.get(id) as MessageRow | undefined;
        if (row === undefined) {
          throw new KeepsakeError('NOT_FOUND', `There is no message ${id} in the log.`, {
            hint: 'See "keepsake log get" for the ids.',
          });
        }
        this.#statements.unindex.run(row.seq);
        if (content === null) {
          this.#statements.erase.run(at, row.seq);
          continue;
        }
        this.#statements.change.run(JSON.stringify(content), at, row.seq);
        this.#statements.index.run(row.seq, analyze(text).join(' '), siloToken(row.agent));
      }
    });
  }

  read(query: LogQuery): Promise<readonly LogMessage[]> {
    const { conditions, values } = inThread(query);
    if (query.after !== undefined) {
      conditions.push('m.seq > ?');
      values.push(query.after);
    }
    if (query.before !== undefined) {
      conditions.push('m.seq < ?');
      values.push(query.before);
    }
    if (query.includeDeleted !== true) conditions.push('m.deleted_at IS NULL');
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    return reading(this.#database, () => {
      const rows = this.#database
        .prepare(
          `SELECT m.* FROM messages m ${where} ORDER BY m.seq ${query.newest ? 'DESC' : 'ASC'} LIMIT +?`,
        )
        .all(...values, query.limit) as MessageRow[];
      if (query.newest) rows.reverse();
      return rows.map(toMessage);
    });
  }

  get(id: string): Promise<LogMessage | null> {
    return reading(this.#database, () => {
      const row = this.#statements.byId.get(id) as MessageRow | undefined;
      return row === undefined ? null : toMessage(row);
    });
  }

  async search({ terms, before, limit, ...thread }: LogTextQuery): Promise<readonly LogMessage[]> {
    if (terms.length === 0) return [];
    const { conditions, values } = inThread(thread);
    conditions.push('m.deleted_at IS NULL');
    if (before !== undefined) {
      conditions.push('m.seq < ?');
      values.push(before);
    }
    const silo = thread.agent === undefined ? '' : ` AND silo : "${siloToken(thread.agent)}"`;
    return reading(this.#database, () => {
      const rows = this.#database
        .prepare(
          `SELECT m.* FROM messages_text CROSS JOIN messages m ON m.seq = messages_text.rowid
         WHERE messages_text MATCH ? AND ${conditions.join(' AND ')} ORDER BY messages_text.rank LIMIT +?`,
        )
        .all(`body : ${anyTerm(terms)}${silo}`, ...values, limit) as MessageRow[];
      return rows.map(toMessage);
    });
  }

  count(query: ThreadQuery): Promise<number> {
    const { conditions, values } = inThread(query);
    conditions.push('m.deleted_at IS NULL');
    const sql = `SELECT count(*) FROM messages m WHERE ${conditions.join(' AND ')}`;
    return reading(
      this.#database,
      () =>
        this.#database
          .prepare(sql)
          .pluck()
          .get(...values) as number,
    );
  }

  boundary(agent: string, thread: string): Promise<number> {
    return reading(
      this.#database,
      () => (this.#statements.boundary.get(agent, thread) as number | undefined) ?? 0,
    );
  }

  journal(key: string): Promise<JsonObject | null> {
    return reading(this.#database, () => {
      const entry = this.#statements.journal.get(key) as string | undefined;
      return entry === undefined ? null : (JSON.parse(entry) as JsonObject);
    });
  }

  threads(): Promise<readonly { agent: string; thread: string; messages: number; lastAt: number }[]> {
    return reading(
      this.#database,
      () =>
        this.#statements.threads.all() as {
          agent: string;
          thread: string;
          messages: number;
          lastAt: number;
        }[],
    );
  }

  #append(message: MessageDraft): LogMessage {
    const { id, agent, thread, run, role, content, metadata, at, text } = message;
    const present = this.#statements.byId.get(id) as MessageRow | undefined;
    if (present !== undefined) return toMessage(present);
    const result = this.#statements.insert.run(
      id,
      agent,
      thread,
      run,
      role,
      JSON.stringify(content),
      JSON.stringify(metadata),
      at,
    );
    const seq = Number(result.lastInsertRowid);
    this.#statements.index.run(seq, analyze(text).join(' '), siloToken(agent));
    return { id, agent, thread, run, role, content, metadata, at, seq, editedAt: null, deletedAt: null };
  }

  #note({ journal, boundary }: AppendNotes): void {
    if (journal !== undefined) {
      if (journal.entry === null) this.#statements.dropJournal.run(journal.key);
      else this.#statements.setJournal.run(journal.key, JSON.stringify(journal.entry));
    }
    if (boundary !== undefined)
      this.#statements.setBoundary.run(boundary.agent, boundary.thread, boundary.seq);
  }
}

function prepareStatements(database: Database) {
  return {
    insert: database.prepare(
      `INSERT INTO messages (id, agent, thread, run, role, content, metadata, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    index: database.prepare('INSERT INTO messages_text (rowid, body, silo) VALUES (?, ?, ?)'),
    unindex: database.prepare('DELETE FROM messages_text WHERE rowid = ?'),
    byId: database.prepare('SELECT * FROM messages WHERE id = ?'),
    remove: database.prepare('DELETE FROM messages WHERE id = ? RETURNING seq').pluck(),
    change: database.prepare('UPDATE messages SET content = ?, edited_at = ? WHERE seq = ?'),
    erase: database.prepare(
      `UPDATE messages SET content = 'null', metadata = '{}', deleted_at = ? WHERE seq = ?`,
    ),
    boundary: database.prepare('SELECT boundary FROM threads WHERE agent = ? AND thread = ?').pluck(),
    setBoundary: database.prepare(
      'INSERT OR REPLACE INTO threads (agent, thread, boundary) VALUES (?, ?, ?)',
    ),
    journal: database.prepare('SELECT entry FROM journals WHERE key = ?').pluck(),
    setJournal: database.prepare('INSERT OR REPLACE INTO journals (key, entry) VALUES (?, ?)'),
    dropJournal: database.prepare('DELETE FROM journals WHERE key = ?'),
    threads: database.prepare(
      `SELECT agent, thread, count(*) AS messages, max(at) AS lastAt FROM messages
       WHERE deleted_at IS NULL GROUP BY agent, thread ORDER BY agent, thread`,
    ),
  };
}

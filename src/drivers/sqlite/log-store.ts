/** The log of messages in SQLite. */
import type { Database } from 'better-sqlite3';
import { decideAppend, decideEdit } from '../../conversation/rules/decide-message.ts';
import { analyze } from '../../kernel/analysis.ts';
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
import { type MessageRow, messageOrNull, type ThreadRow, toMessage } from '../common/message-rows.ts';
import { storedJson } from '../common/stored-json.ts';
import type { GroupWriter } from './group-writer.ts';
import { inThread, MessageSearch, messageOwners } from './message-search.ts';
import { reading } from './reading.ts';

export class SqliteLogStore implements LogStore {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #statements;
  readonly #search: MessageSearch;
  readonly #snapshot: <T>(read: () => T) => T;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
    this.#statements = prepareStatements(database);
    this.#search = new MessageSearch(database);
    this.#snapshot = database.transaction((read: () => unknown) => read()) as <T>(read: () => T) => T;
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
      for (const edit of edits) {
        const { message, text } = decideEdit(this.#messageOf(edit.id), edit);
        const { seq, agent, thread, content, metadata, editedAt, deletedAt } = message;
        this.#statements.unindex.run(seq);
        this.#statements.change.run(
          ...[JSON.stringify(content), JSON.stringify(metadata), editedAt, deletedAt, seq],
        );
        if (text !== null)
          this.#statements.index.run(seq, analyze(text).join(' '), messageOwners(agent, thread));
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
    return reading(this.#database, () => this.#messageOf(id));
  }

  async search(query: LogTextQuery): Promise<readonly LogMessage[]> {
    const { agent, terms } = query;
    if (terms.length === 0) return [];
    return reading(this.#database, () => {
      // Many agents have no conversation at all, and every recall asks for one.
      if (agent !== undefined && this.#statements.speaks.get(agent) === undefined) return [];
      return this.#snapshot(() => this.#search.find(query)).map(toMessage);
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
      return entry === undefined ? null : storedJson<JsonObject>(entry);
    });
  }

  threads(query: Pick<ThreadQuery, 'agent' | 'prefix'> = {}): Promise<readonly ThreadRow[]> {
    const { conditions, values } = inThread(query);
    const where = ['m.deleted_at IS NULL', ...conditions].join(' AND ');
    const sql = `SELECT m.agent, m.thread, count(*) AS messages, max(m.at) AS lastAt FROM messages m
       WHERE ${where} GROUP BY m.agent, m.thread ORDER BY m.agent, m.thread`;
    return reading(this.#database, () => this.#database.prepare(sql).all(...values) as ThreadRow[]);
  }

  #messageOf(id: string): LogMessage | null {
    return messageOrNull(this.#statements.byId.get(id) as MessageRow | undefined);
  }

  #append(draft: MessageDraft): LogMessage {
    const plan = decideAppend(this.#messageOf(draft.id), draft);
    if ('kept' in plan) return plan.kept;
    const { id, agent, thread, run, role, content, metadata, at } = plan.added;
    const result = this.#statements.insert.run(
      ...[id, agent, thread, run, role, JSON.stringify(content), JSON.stringify(metadata), at],
    );
    const seq = Number(result.lastInsertRowid);
    this.#statements.index.run(seq, analyze(plan.text).join(' '), messageOwners(agent, thread));
    return { ...plan.added, seq };
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
    speaks: database.prepare('SELECT 1 FROM messages WHERE agent = ? LIMIT 1').pluck(),
    remove: database.prepare('DELETE FROM messages WHERE id = ? RETURNING seq').pluck(),
    change: database.prepare(
      'UPDATE messages SET content = ?, metadata = ?, edited_at = ?, deleted_at = ? WHERE seq = ?',
    ),
    boundary: database.prepare('SELECT boundary FROM threads WHERE agent = ? AND thread = ?').pluck(),
    setBoundary: database.prepare(
      'INSERT OR REPLACE INTO threads (agent, thread, boundary) VALUES (?, ?, ?)',
    ),
    journal: database.prepare('SELECT entry FROM journals WHERE key = ?').pluck(),
    setJournal: database.prepare('INSERT OR REPLACE INTO journals (key, entry) VALUES (?, ?)'),
    dropJournal: database.prepare('DELETE FROM journals WHERE key = ?'),
  };
}

/** The message bus in SQLite: the order of a run's messages; what they say is in the log, where it keeps them. */
import type { Database } from 'better-sqlite3';
import type { BusDraft, BusMessage, BusQuery, MessageBus } from '../../ports/message-bus.ts';
import { type BusRow, endMarker, toBusMessage } from '../common/bus-rows.ts';
import { followPages } from '../common/follow-pages.ts';
import { ChangeSignal } from './change-signal.ts';
import type { GroupWriter } from './group-writer.ts';
import { reading } from './reading.ts';

export class SqliteMessageBus implements MessageBus {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #signal = new ChangeSignal();
  readonly #statements;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
    this.#statements = prepareStatements(database);
  }

  async publish({ id, run, agent, role, content, at, passing }: BusDraft): Promise<number> {
    const seq = await this.#writer.run(() => {
      const logged = !passing && this.#statements.logged.get(id) !== undefined;
      const text = logged ? null : JSON.stringify(content);
      return Number(
        this.#statements.insert.run(id, run, agent, role, at, passing ? 1 : 0, text).lastInsertRowid,
      );
    });
    this.#signal.beat();
    return seq;
  }

  read({ run, after = 0, agent, limit }: BusQuery): Promise<readonly BusMessage[]> {
    return reading(this.#database, () => {
      const rows = this.#statements.read.all({ run, after, agent: agent ?? null, limit }) as BusRow[];
      return rows.map(toBusMessage);
    });
  }

  watch({ signal, ...query }: Omit<BusQuery, 'limit'> & { signal?: AbortSignal | undefined }) {
    return followPages<BusMessage>({
      ...{ after: query.after ?? 0, signal },
      read: async (after, limit) => {
        // Checked before reading: messages up to the end are then still read.
        const isOver = this.#statements.isOver.get(query.run) !== undefined;
        return { items: await this.read({ ...query, after, limit }), isLast: () => isOver };
      },
      numberOf: ({ seq }) => seq,
      news: () => this.#signal.next(signal),
      isClosed: () => !this.#database.open,
    });
  }

  async end(run: string): Promise<void> {
    await this.#writer.run(() => {
      this.#statements.forgetPassing.run(run);
      this.#statements.end.run(endMarker(run), run);
    });
    this.#signal.beat();
  }

  async remove(run: string): Promise<void> {
    await this.#writer.run(() => void this.#statements.remove.run(run));
    this.#signal.beat();
  }
}

function prepareStatements(database: Database) {
  return {
    logged: database.prepare('SELECT 1 FROM messages WHERE id = ?'),
    insert: database.prepare(
      'INSERT INTO run_messages (id, run, agent, role, at, passing, content) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    // A message that was deleted from the log has left the bus as well.
    read: database.prepare(
      `SELECT b.seq, b.id, b.run, b.agent, b.role, coalesce(b.content, m.content) AS content, b.at
       FROM run_messages b LEFT JOIN messages m ON b.content IS NULL AND m.id = b.id
       WHERE b.run = @run AND b.role <> '' AND b.seq > @after AND (@agent IS NULL OR b.agent = @agent)
         AND (b.content IS NOT NULL OR (m.id IS NOT NULL AND m.deleted_at IS NULL))
       ORDER BY b.seq LIMIT +@limit`,
    ),
    // The end of a run has a row of its own, which nobody said.
    end: database.prepare(
      `INSERT OR IGNORE INTO run_messages (id, run, agent, role, at, passing, content) VALUES (?, ?, '', '', 0, 0, 'null')`,
    ),
    remove: database.prepare('DELETE FROM run_messages WHERE run = ?'),
    isOver: database.prepare("SELECT 1 FROM run_messages WHERE run = ? AND role = ''"),
    forgetPassing: database.prepare('DELETE FROM run_messages WHERE run = ? AND passing = 1'),
  };
}

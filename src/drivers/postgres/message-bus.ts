/** The message bus in Postgres: the order of a run's messages; what they say is in the log, where it keeps them. */
import type { BusDraft, BusMessage, BusQuery, MessageBus } from '../../ports/message-bus.ts';
import { type BusRow, endMarker, toBusMessage } from '../common/bus-rows.ts';
import { followPages } from '../common/follow-pages.ts';
import { ChangeSignal } from './change-signal.ts';
import type { Database } from './database.ts';
import type { GroupWriter } from './group-writer.ts';
import type { Listener } from './listener.ts';
import { type Asking, raw, sql } from './sql.ts';

const BUS = 'bus';

export class PostgresMessageBus implements MessageBus {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #signal: ChangeSignal;

  constructor(database: Database, writer: GroupWriter, listener: Listener) {
    this.#database = database;
    this.#writer = writer;
    this.#signal = new ChangeSignal(listener, BUS);
  }

  publish({ id, run, agent, role, content, at, passing }: BusDraft): Promise<number> {
    return this.#writer.run(async (transaction) => {
      const seq = transaction.next('busMessage');
      await transaction.run(
        sql`INSERT INTO run_messages (seq, id, run, agent, role, at, passing, content)
            SELECT ${seq}, ${id}, ${run}, ${agent}, ${role}, ${at}, ${passing},
              CASE WHEN NOT ${passing}::boolean AND EXISTS (SELECT 1 FROM messages WHERE id = ${id}) THEN NULL
              ELSE ${JSON.stringify(content)} END`,
      );
      transaction.tell(BUS);
      return seq;
    });
  }

  async read({ run, after = 0, agent, limit }: BusQuery): Promise<readonly BusMessage[]> {
    const ofAgent = agent === undefined ? raw('') : sql`AND b.agent = ${agent}`;
    // A message that was deleted from the log has left the bus as well.
    const rows = await this.#database.rows<BusRow>(
      sql`SELECT b.seq, b.id, b.run, b.agent, b.role, coalesce(b.content, m.content) AS content, b.at
          FROM run_messages b LEFT JOIN messages m ON b.content IS NULL AND m.id = b.id
          WHERE b.run = ${run} AND b.role <> '' AND b.seq > ${after} ${ofAgent}
            AND (b.content IS NOT NULL OR (m.id IS NOT NULL AND m.deleted_at IS NULL))
          ORDER BY b.seq LIMIT ${limit}`,
    );
    return rows.map(toBusMessage);
  }

  async *watch({ signal, ...query }: Omit<BusQuery, 'limit'> & { signal?: AbortSignal | undefined }) {
    const news = this.#signal.follow(signal);
    try {
      yield* followPages<BusMessage>({
        ...{ after: query.after ?? 0, signal },
        read: async (after, limit) => {
          // Checked before reading: messages up to the end are then still read.
          const wasOver = await isOver(this.#database, query.run);
          return { items: await this.read({ ...query, after, limit }), isLast: () => wasOver };
        },
        numberOf: ({ seq }) => seq,
        news: () => news.next(),
        isClosed: () => this.#database.isClosed,
      });
    } finally {
      news.stop();
    }
  }

  async end(run: string): Promise<void> {
    await this.#writer.run(async (transaction) => {
      await transaction.run(sql`DELETE FROM run_messages WHERE run = ${run} AND passing`);
      // The end of a run has a row of its own, which nobody said.
      if (await isOver(transaction, run)) return;
      await transaction.run(
        sql`INSERT INTO run_messages (seq, id, run, agent, role, at, passing, content)
            VALUES (${transaction.next('busMessage')}, ${endMarker(run)}, ${run}, '', '', 0, FALSE, 'null')`,
      );
      transaction.tell(BUS);
    });
  }

  async remove(run: string): Promise<void> {
    await this.#writer.run(async (transaction) => {
      await transaction.run(sql`DELETE FROM run_messages WHERE run = ${run}`);
      transaction.tell(BUS);
    });
  }
}

async function isOver(session: Asking, run: string): Promise<boolean> {
  const end = await session.row(sql`SELECT 1 FROM run_messages WHERE run = ${run} AND role = ''`);
  return end !== undefined;
}

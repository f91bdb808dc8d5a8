/** Removes the remaining data of an agent or user in Postgres. */
import { threadsOf } from '../../kernel/threads.ts';
import type { Erased, Erasing, SweptThread, Traces } from '../../ports/erasing.ts';
import { digestOf } from '../common/digest.ts';
import { afterPrefix } from '../common/message-rows.ts';
import type { Database } from './database.ts';
import { KEPT_BY_THE_SERVER } from './erasure.ts';
import type { GroupWriter } from './group-writer.ts';
import { raw, type Sql, sql } from './sql.ts';
import type { WriteTransaction } from './write-transaction.ts';

const ownedBy = ({ agent, user }: Erased): Sql =>
  user === undefined ? sql`agent = ${agent}` : sql`user_id = ${user}`;
const eventsOf = ({ agent, user }: Erased): Sql =>
  user === undefined ? sql`agent = ${agent}` : sql`event::json ->> 'user' = ${user}`;
const messagesOf = ({ agent, user }: Erased): Sql =>
  user === undefined
    ? sql`agent = ${agent}`
    : sql`thread LIKE '@%' AND thread COLLATE "C" >= ${threadsOf(user)}
          AND thread COLLATE "C" < ${afterPrefix(threadsOf(user))}`;

export class PostgresErasing implements Erasing {
  readonly #database: Database;
  readonly #writer: GroupWriter;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
  }

  sweep(whose: Erased, threads: readonly SweptThread[]): Promise<Traces> {
    return this.#writer.run(async (transaction) => {
      const owned = ownedBy(whose);
      let marks = await transaction.run(
        sql`DELETE FROM record_keys WHERE rid IN (SELECT rid FROM records WHERE ${owned} AND forgotten_at IS NOT NULL)`,
      );
      const records = await disown(transaction, whose);
      marks += await transaction.run(sql`DELETE FROM agent_users WHERE ${owned}`);
      for (const { agent, thread, journals } of threads) {
        marks += await transaction.run(
          sql`DELETE FROM threads WHERE agent = ${agent} AND thread = ${digestOf(thread)}`,
        );
        for (const key of journals)
          marks += await transaction.run(sql`DELETE FROM journals WHERE key = ${digestOf(key)}`);
      }
      if (whose.user === undefined)
        marks += await transaction.run(
          sql`DELETE FROM agents WHERE name = ${whose.agent} AND NOT EXISTS (SELECT 1 FROM records WHERE agent = name)`,
        );
      return {
        ...{ records, marks, messages: 0 },
        events: await transaction.run(sql`DELETE FROM events WHERE ${eventsOf(whose)}`),
        quarantined: await transaction.run(sql`DELETE FROM quarantine WHERE ${owned}`),
      };
    });
  }

  remains(): readonly string[] {
    return KEPT_BY_THE_SERVER;
  }

  async count(whose: Erased): Promise<Traces> {
    const owned = ownedBy(whose);
    const row = await this.#database.row<Traces>(
      sql`SELECT (SELECT count(*) FROM records WHERE ${owned}) AS records,
            (SELECT count(*) FROM messages WHERE ${messagesOf(whose)}) AS messages,
            (SELECT count(*) FROM events WHERE ${eventsOf(whose)}) AS events,
            (SELECT count(*) FROM quarantine WHERE ${owned}) AS quarantined,
            (SELECT count(*) FROM agent_users WHERE ${owned})
              + ${whose.user === undefined ? sql`(SELECT count(*) FROM agents WHERE name = ${whose.agent})` : raw('0')} AS marks`,
    );
    return row!;
  }

  async users({ prefix, after = '', limit }: Parameters<Erasing['users']>[0]): Promise<readonly string[]> {
    const rows = await this.#database.rows<{ user_id: string }>(
      sql`SELECT user_id FROM (
            SELECT user_id FROM agent_users UNION SELECT user_id COLLATE "C" FROM items
            UNION SELECT user_id FROM quarantine
          ) AS users
          WHERE user_id >= ${prefix} AND user_id < ${afterPrefix(prefix)} AND user_id > ${after}
          ORDER BY user_id LIMIT ${limit}`,
    );
    return rows.map(({ user_id }) => user_id);
  }
}

/** What was forgotten keeps its id, so that it is never used again, and says no longer whose it was. */
async function disown(transaction: WriteTransaction, whose: Erased): Promise<number> {
  await transaction.run(
    sql`INSERT INTO agents (name, folded, created_at) VALUES ('', '', 0) ON CONFLICT DO NOTHING`,
  );
  return transaction.run(
    sql`UPDATE records SET agent = '', user_id = '', scope = 'agent', changed_by = ''
        WHERE ${ownedBy(whose)} AND forgotten_at IS NOT NULL`,
  );
}

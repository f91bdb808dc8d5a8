/** Removes the remaining data of an agent or user in SQLite. */
import type { Database } from 'better-sqlite3';
import { ARCHIVED_THREAD, threadsOf } from '../../kernel/threads.ts';
import type { Erased, Erasing, SweptThread, Traces } from '../../ports/erasing.ts';
import { afterPrefix } from '../common/message-rows.ts';
import type { GroupWriter } from './group-writer.ts';
import { reading } from './reading.ts';
import { keptByEngine, noteTraces, Scrubber } from './scrubber.ts';

/** A condition, and what is bound to it. */
type Where = readonly [sql: string, ...values: string[]];

/** The index of users leaves out what is about nobody; SQLite uses it only where that is said. */
const ownedBy = ({ agent, user }: Erased): Where =>
  user === undefined ? ['agent = ?', agent] : ["user_id = ? AND user_id <> ''", user];
const eventsOf = ({ agent, user }: Erased): Where =>
  user === undefined ? ['agent = ?', agent] : ["event ->> '$.user' = ?", user];
const messagesOf = ({ agent, user }: Erased): Where =>
  user === undefined
    ? ['agent = ?', agent]
    : ['thread >= ? AND thread < ?', threadsOf(user), afterPrefix(threadsOf(user))];

/** Entries of the journal about archived threads. No name of an agent has an "@", and the name of every thread begins with one. */
const archivesOf = ({ agent, user }: Erased): Where => {
  const [column, value] =
    user === undefined
      ? ["substr(key, 1, instr(key, '@') - 1)", `${ARCHIVED_THREAD}${agent} `]
      : [`substr(key, instr(key, '@'), ${[...threadsOf(user)].length})`, threadsOf(user)];
  return [`key >= '${ARCHIVED_THREAD}' AND key < '${afterPrefix(ARCHIVED_THREAD)}' AND ${column} = ?`, value];
};

export class SqliteErasing implements Erasing {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #scrubber: Scrubber;
  #kept: readonly string[] = [];

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
    this.#scrubber = new Scrubber(database, writer);
  }

  async sweep(whose: Erased, threads: readonly SweptThread[]): Promise<Traces> {
    const swept = await this.#writer.run(() => {
      const [owned, ...owner] = ownedBy(whose);
      const [events, ...of] = eventsOf(whose);
      let marks = this.#run(
        `DELETE FROM record_keys WHERE rid IN (SELECT rid FROM records WHERE ${owned} AND forgotten_at IS NOT NULL)`,
        ...owner,
      );
      const records = this.#disown(whose);
      marks += this.#run(`DELETE FROM agent_users WHERE ${owned}`, ...owner);
      for (const { agent, thread, journals } of threads) {
        marks += this.#run('DELETE FROM threads WHERE agent = ? AND thread = ?', agent, thread);
        for (const key of journals) marks += this.#run('DELETE FROM journals WHERE key = ?', key);
      }
      const [archives, ...archived] = archivesOf(whose);
      marks += this.#run(`DELETE FROM journals WHERE ${archives}`, ...archived);
      if (whose.user === undefined)
        marks += this.#run(
          `DELETE FROM agents WHERE name = ? AND NOT EXISTS (SELECT 1 FROM records WHERE agent = name)`,
          whose.agent,
        );
      // Words of deleted messages stay in the pieces of the index until these are merged.
      this.#database.exec("INSERT INTO messages_text (messages_text) VALUES ('optimize')");
      noteTraces(this.#database, true);
      return {
        ...{ records, marks, messages: 0 },
        events: this.#run(`DELETE FROM events WHERE ${events}`, ...of),
        quarantined: this.#run(`DELETE FROM quarantine WHERE ${owned}`, ...owner),
      };
    });
    this.#kept = keptByEngine(this.#database.name, await this.#scrubber.run());
    return swept;
  }

  remains(): readonly string[] {
    return this.#kept;
  }

  count(whose: Erased): Promise<Traces> {
    return reading(this.#database, () => {
      const number = (table: string, [sql, ...values]: Where): number =>
        this.#database
          .prepare(`SELECT count(*) FROM ${table} WHERE ${sql}`)
          .pluck()
          .get(...values) as number;
      const owned = ownedBy(whose);
      const named: Where = ['name = ?', whose.agent ?? ''];
      return {
        records: number('records', owned),
        messages: number('messages', messagesOf(whose)),
        events: number('events', eventsOf(whose)),
        quarantined: number('quarantine', owned),
        marks:
          number('agent_users', owned) +
          number('threads', messagesOf(whose)) +
          number('journals', archivesOf(whose)) +
          (whose.user === undefined ? number('agents', named) : 0),
      };
    });
  }

  users({ prefix, after = '', limit }: Parameters<Erasing['users']>[0]): Promise<readonly string[]> {
    return reading(
      this.#database,
      () =>
        this.#database
          .prepare(
            `${['agent_users', 'items', 'quarantine']
              .map(
                (table) =>
                  `SELECT user_id FROM ${table} WHERE user_id <> '' AND user_id >= :from AND user_id < :to AND user_id > :after`,
              )
              .join(' UNION ')} ORDER BY user_id LIMIT +:limit`,
          )
          .pluck()
          .all({ from: prefix, to: afterPrefix(prefix), after, limit }) as string[],
    );
  }

  /** What was forgotten keeps its id, so that it is never used again, and says no longer whose it was. */
  #disown(whose: Erased): number {
    const [owned, ...owner] = ownedBy(whose);
    this.#run("INSERT OR IGNORE INTO agents (name, folded, created_at) VALUES ('', '', 0)");
    return this.#run(
      `UPDATE records SET agent = '', user_id = '', scope = 'agent', changed_by = ''
       WHERE ${owned} AND forgotten_at IS NOT NULL`,
      ...owner,
    );
  }

  #run(sql: string, ...values: string[]): number {
    return this.#database.prepare(sql).run(...values).changes;
  }
}

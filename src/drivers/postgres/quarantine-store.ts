/** The quarantine in Postgres: bounded, and each write once. */
import { newEntry } from '../../guard/rules/quarantine.ts';
import type { KeepsakeEvent } from '../../kernel/events.ts';
import type {
  BlockedDraft,
  QuarantineEntry,
  QuarantineLimits,
  QuarantineQuery,
  QuarantineStore,
  RefusedWrite,
} from '../../ports/quarantine-store.ts';
import { noDigest } from '../common/digest.ts';
import { oldestKept, type QuarantineRow, toEntry, toRow } from '../common/quarantine-rows.ts';
import type { Database } from './database.ts';
import { LEFT_TO_THE_SERVER } from './erasure.ts';
import type { PostgresEventStore } from './event-store.ts';
import type { GroupWriter } from './group-writer.ts';
import { raw, sql } from './sql.ts';
import type { WriteTransaction } from './write-transaction.ts';

type Row = QuarantineRow & { readonly reasons: readonly string[] };

export class PostgresQuarantineStore implements QuarantineStore {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #events: PostgresEventStore;

  constructor(database: Database, writer: GroupWriter, events: PostgresEventStore) {
    this.#database = database;
    this.#writer = writer;
    this.#events = events;
  }

  put(
    write: RefusedWrite,
    event: BlockedDraft,
    limits: QuarantineLimits,
  ): Promise<{ id: string; events: readonly KeepsakeEvent[] }> {
    return this.#writer.run(async (transaction) => {
      const id = await keep(transaction, write);
      await trim(transaction, limits);
      return { id, events: this.#events.write(transaction, [{ ...event, quarantineId: id }]) };
    });
  }

  async get(id: string): Promise<QuarantineEntry | null> {
    const row = await this.#database.row<Row>(sql`SELECT * FROM quarantine WHERE id = ${id}`);
    return row === undefined ? null : toEntry(row, row.reasons);
  }

  async list({ agent, states, limit, after }: QuarantineQuery): Promise<readonly QuarantineEntry[]> {
    const ofAgent = agent === undefined ? raw('') : sql`AND agent = ${agent}`;
    const page =
      after === undefined ? raw('') : sql`AND qid < (SELECT qid FROM quarantine WHERE id = ${after})`;
    const rows = await this.#database.rows<Row>(
      sql`SELECT * FROM quarantine
          WHERE CASE WHEN released_at IS NULL THEN 'waiting' ELSE 'released' END = ANY(${states}::text[])
          ${ofAgent} ${page} ORDER BY qid DESC LIMIT ${limit}`,
    );
    return rows.map((row) => toEntry(row, row.reasons));
  }

  async release(id: string, mark: { at: number; by: string; as: string }): Promise<boolean> {
    const released = await this.#writer.run((transaction) =>
      transaction.run(
        sql`UPDATE quarantine SET released_at = ${mark.at}, released_by = ${mark.by}, released_as = ${mark.as},
              input = NULL, content = NULL, digest = ${noDigest()} WHERE id = ${id} AND released_at IS NULL`,
      ),
    );
    return released > 0;
  }

  mirror(entries: readonly QuarantineEntry[]): Promise<void> {
    return this.#writer.run(async (transaction) => {
      for (const entry of entries) await mirrorEntry(transaction, entry);
    });
  }

  async remove(id: string): Promise<{ journalErased: boolean; pagesErased: boolean } | null> {
    const removed = await this.#writer.run((transaction) =>
      transaction.run(sql`DELETE FROM quarantine WHERE id = ${id}`),
    );
    return removed > 0 ? LEFT_TO_THE_SERVER : null;
  }
}

/** The same write again only counts. */
async function keep(transaction: WriteTransaction, write: RefusedWrite): Promise<string> {
  const entry = newEntry(write);
  const { digest } = toRow(entry);
  const known = await transaction.row<{ id: string }>(
    sql`UPDATE quarantine SET times = times + 1, last_at = ${entry.lastAt} WHERE digest = ${digest} RETURNING id`,
  );
  if (known !== undefined) return known.id;
  await insert(transaction, entry);
  return entry.id;
}

async function insert(transaction: WriteTransaction, entry: QuarantineEntry): Promise<void> {
  const row = toRow(entry);
  await transaction.run(
    sql`INSERT INTO quarantine (qid, id, digest, agent, user_id, at, last_at, times, via, session, verb, category, origin,
          reasons, input, content, released_at, released_by, released_as)
        VALUES (${transaction.next('quarantine')}, ${row.id}, ${row.digest}, ${row.agent}, ${row.user_id}, ${row.at}, ${row.last_at},
          ${row.times}, ${row.via}, ${row.session}, ${row.verb}, ${row.category}, ${row.origin}, ${entry.reasons}::text[],
          ${row.input}, ${row.content}, ${row.released_at}, ${row.released_by}, ${row.released_as})`,
  );
}

async function mirrorEntry(transaction: WriteTransaction, entry: QuarantineEntry): Promise<void> {
  const row = toRow(entry);
  const changed = await transaction.run(
    sql`UPDATE quarantine SET digest = ${row.digest}, last_at = ${row.last_at}, times = ${row.times},
          input = ${row.input}, content = ${row.content}, released_at = ${row.released_at},
          released_by = ${row.released_by}, released_as = ${row.released_as}
        WHERE id = ${row.id}`,
  );
  if (changed === 0) await insert(transaction, entry);
}

async function trim(transaction: WriteTransaction, limits: QuarantineLimits): Promise<void> {
  const rows = await transaction.rows<{ qid: number; size: number }>(
    sql`SELECT qid, length(coalesce(content, '')) + length(coalesce(input, '')) AS size FROM quarantine ORDER BY qid DESC`,
  );
  const oldest = oldestKept(rows, limits);
  if (oldest !== undefined) await transaction.run(sql`DELETE FROM quarantine WHERE qid < ${oldest}`);
}

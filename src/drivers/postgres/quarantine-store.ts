/** The quarantine in Postgres: bounded, and each write once. */
import type { KeepsakeEvent, Via } from '../../kernel/events.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { Origin } from '../../kernel/record.ts';
import type {
  BlockedDraft,
  GuardedVerb,
  QuarantineEntry,
  QuarantineLimits,
  QuarantineQuery,
  QuarantineStore,
  RefusedWrite,
} from '../../ports/quarantine-store.ts';
import { digestOf, noDigest } from '../common/digest.ts';
import type { Database } from './database.ts';
import { LEFT_TO_THE_SERVER } from './erasure.ts';
import type { PostgresEventStore } from './event-store.ts';
import type { GroupWriter } from './group-writer.ts';
import { raw, sql } from './sql.ts';
import type { WriteTransaction } from './write-transaction.ts';

interface Row {
  readonly id: string;
  readonly agent: string;
  readonly at: number;
  readonly last_at: number;
  readonly times: number;
  readonly via: Via;
  readonly session: string | null;
  readonly verb: GuardedVerb;
  readonly category: string;
  readonly origin: Origin;
  readonly reasons: readonly string[];
  readonly input: string | null;
  readonly content: string | null;
  readonly released_at: number | null;
  readonly released_by: string | null;
  readonly released_as: string | null;
}

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
    return row === undefined ? null : toEntry(row);
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
    return rows.map(toEntry);
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

async function keep(transaction: WriteTransaction, write: RefusedWrite): Promise<string> {
  const { id, at, agent, via, session, verb, category, origin, reasons, content } = write;
  const input = JSON.stringify(write.input);
  const digest = digestOf(agent, verb, input);
  const known = await transaction.row<{ id: string }>(
    sql`UPDATE quarantine SET times = times + 1, last_at = ${at} WHERE digest = ${digest} RETURNING id`,
  );
  if (known !== undefined) return known.id;
  await transaction.run(
    sql`INSERT INTO quarantine (qid, id, digest, agent, at, last_at, times, via, session, verb, category, origin,
          reasons, input, content)
        VALUES (${transaction.next('quarantine')}, ${id}, ${digest}, ${agent}, ${at}, ${at}, 1, ${via}, ${session}, ${verb},
          ${category}, ${origin}, ${reasons}::text[], ${input}, ${content})`,
  );
  return id;
}

async function mirrorEntry(transaction: WriteTransaction, entry: QuarantineEntry): Promise<void> {
  const { id, agent, at, lastAt, times, via, session, verb, category, origin, reasons, content } = entry;
  const { releasedAt, releasedBy, releasedAs } = entry;
  const input = entry.input === null ? null : JSON.stringify(entry.input);
  const digest = input === null ? noDigest() : digestOf(agent, verb, input);
  const changed = await transaction.run(
    sql`UPDATE quarantine SET digest = ${digest}, last_at = ${lastAt}, times = ${times}, input = ${input},
          content = ${content}, released_at = ${releasedAt}, released_by = ${releasedBy}, released_as = ${releasedAs}
        WHERE id = ${id}`,
  );
  if (changed > 0) return;
  await transaction.run(
    sql`INSERT INTO quarantine (qid, id, digest, agent, at, last_at, times, via, session, verb, category, origin,
          reasons, input, content, released_at, released_by, released_as)
        VALUES (${transaction.next('quarantine')}, ${id}, ${digest}, ${agent}, ${at}, ${lastAt}, ${times}, ${via}, ${session},
          ${verb}, ${category}, ${origin}, ${reasons}::text[], ${input}, ${content}, ${releasedAt}, ${releasedBy},
          ${releasedAs})`,
  );
}

/** What is oldest goes; the newest one stays however large it is. */
async function trim(transaction: WriteTransaction, { entries, characters }: QuarantineLimits): Promise<void> {
  await transaction.run(
    sql`DELETE FROM quarantine WHERE qid IN (
          SELECT qid FROM (
            SELECT qid, row_number() OVER newest AS place,
              sum(length(coalesce(content, '')) + length(coalesce(input, ''))) OVER newest AS size
            FROM quarantine WINDOW newest AS (ORDER BY qid DESC ROWS UNBOUNDED PRECEDING)
          ) sized WHERE place > 1 AND (place > ${entries} OR size > ${characters}))`,
  );
}

function toEntry(row: Row): QuarantineEntry {
  const { id, agent, at, times, via, session, verb, category, origin, reasons, content } = row;
  return {
    ...{ id, agent, at, times, via, session, verb, category, origin, reasons, content },
    state: row.released_at === null ? 'waiting' : 'released',
    input: row.input === null ? null : (JSON.parse(row.input) as JsonObject),
    lastAt: row.last_at,
    releasedAt: row.released_at,
    releasedBy: row.released_by,
    releasedAs: row.released_as,
  };
}

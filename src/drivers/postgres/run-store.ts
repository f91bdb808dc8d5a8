/** The runs of swarms in Postgres. */
import type { RunDraft, RunEnd, RunQuery, RunRecord, RunStore, RunUsage } from '../../ports/run-store.ts';
import { newRun, type RunRow, toRun, usageText } from '../common/run-rows.ts';
import type { Database } from './database.ts';
import type { GroupWriter } from './group-writer.ts';
import { joined, raw, sql } from './sql.ts';

export class PostgresRunStore implements RunStore {
  readonly #database: Database;
  readonly #writer: GroupWriter;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
  }

  async create(draft: RunDraft): Promise<RunRecord> {
    const { run, participants, usage } = newRun(draft);
    const { id, swarm, type, task, status, startedAt, leaseUntil, leaseMs } = run;
    await this.#writer.run((transaction) =>
      transaction.run(
        sql`INSERT INTO runs (id, swarm, type, task, status, participants, usage, started_at, lease_until, lease_ms)
            VALUES (${id}, ${swarm}, ${type}, ${task}, ${status}, ${participants}, ${usage}, ${startedAt}, ${leaseUntil},
              ${leaseMs})`,
      ),
    );
    return run;
  }

  async get(id: string): Promise<RunRecord | null> {
    const row = await this.#database.row<RunRow>(sql`SELECT * FROM runs WHERE id = ${id}`);
    return row === undefined ? null : toRun(row);
  }

  async list({ swarm, status, leaseBefore, limit }: RunQuery): Promise<readonly RunRecord[]> {
    const where = joined(
      [
        raw('TRUE'),
        ...(swarm === undefined ? [] : [sql`swarm = ${swarm}`]),
        ...(status === undefined ? [] : [sql`status = ${status}`]),
        ...(leaseBefore === undefined ? [] : [sql`lease_until < ${leaseBefore}`]),
      ],
      ' AND ',
    );
    const rows = await this.#database.rows<RunRow>(
      sql`SELECT * FROM runs WHERE ${where} ORDER BY started_at DESC, id DESC LIMIT ${limit}`,
    );
    return rows.map(toRun);
  }

  async touch(id: string, { leaseUntil, usage }: { leaseUntil: number; usage?: RunUsage }): Promise<boolean> {
    const spent = usageText(usage);
    return this.#writer.run(async (transaction) => {
      const touched = await transaction.run(
        sql`UPDATE runs SET lease_until = GREATEST(lease_until, ${leaseUntil}), usage = COALESCE(${spent}, usage)
            WHERE id = ${id} AND status = 'running'`,
      );
      if (touched > 0) return true;
      if (spent !== null) await transaction.run(sql`UPDATE runs SET usage = ${spent} WHERE id = ${id}`);
      return false;
    });
  }

  async end(id: string, { status, endedAt, reason, result, usage, leaseBefore }: RunEnd): Promise<boolean> {
    const inTime = leaseBefore === undefined ? raw('TRUE') : sql`lease_until < ${leaseBefore}`;
    const ended = await this.#writer.run((transaction) =>
      transaction.run(
        sql`UPDATE runs SET status = ${status}, ended_at = ${endedAt}, reason = ${reason}, result = ${result},
              usage = COALESCE(${usageText(usage)}, usage)
            WHERE id = ${id} AND status = 'running' AND ${inTime}`,
      ),
    );
    return ended > 0;
  }

  async remove(id: string): Promise<boolean> {
    const removed = await this.#writer.run((transaction) =>
      transaction.run(sql`DELETE FROM runs WHERE id = ${id}`),
    );
    return removed > 0;
  }
}

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
    const { id, swarm, type, task, status, startedAt, leaseUntil } = run;
    await this.#writer.run((transaction) =>
      transaction.run(
        sql`INSERT INTO runs (id, swarm, type, task, status, participants, usage, started_at, lease_until)
            VALUES (${id}, ${swarm}, ${type}, ${task}, ${status}, ${participants}, ${usage}, ${startedAt}, ${leaseUntil})`,
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
    const touched = await this.#writer.run((transaction) =>
      transaction.run(
        sql`UPDATE runs SET lease_until = GREATEST(lease_until, ${leaseUntil}),
              usage = COALESCE(${usageText(usage)}, usage)
            WHERE id = ${id} AND status = 'running'`,
      ),
    );
    return touched > 0;
  }

  async end(id: string, { status, endedAt, reason, result, usage }: RunEnd): Promise<boolean> {
    const ended = await this.#writer.run((transaction) =>
      transaction.run(
        sql`UPDATE runs SET status = ${status}, ended_at = ${endedAt}, reason = ${reason}, result = ${result},
              usage = COALESCE(${usageText(usage)}, usage)
            WHERE id = ${id} AND status = 'running'`,
      ),
    );
    return ended > 0;
  }
}

/** The runs of swarms in SQLite. */
import type { Database } from 'better-sqlite3';
import type { RunDraft, RunEnd, RunQuery, RunRecord, RunStore, RunUsage } from '../../ports/run-store.ts';
import { newRun, type RunRow, toRun, usageText } from '../common/run-rows.ts';
import type { GroupWriter } from './group-writer.ts';
import { reading } from './reading.ts';

export class SqliteRunStore implements RunStore {
  readonly #database: Database;
  readonly #writer: GroupWriter;
  readonly #statements;

  constructor(database: Database, writer: GroupWriter) {
    this.#database = database;
    this.#writer = writer;
    this.#statements = prepareStatements(database);
  }

  create(draft: RunDraft): Promise<RunRecord> {
    const { run, participants, usage } = newRun(draft);
    return this.#writer.run(() => {
      this.#statements.insert.run({ ...run, participants, usage });
      return run;
    });
  }

  get(id: string): Promise<RunRecord | null> {
    return reading(this.#database, () => {
      const row = this.#statements.get.get(id) as RunRow | undefined;
      return row === undefined ? null : toRun(row);
    });
  }

  list({ swarm, status, leaseBefore, limit }: RunQuery): Promise<readonly RunRecord[]> {
    const wanted = { swarm: swarm ?? null, status: status ?? null, before: leaseBefore ?? null, limit };
    return reading(this.#database, () => (this.#statements.list.all(wanted) as RunRow[]).map(toRun));
  }

  touch(id: string, { leaseUntil, usage }: { leaseUntil: number; usage?: RunUsage }): Promise<boolean> {
    const spent = usageText(usage);
    return this.#writer.run(() => {
      if (this.#statements.touch.run(leaseUntil, spent, id).changes > 0) return true;
      if (spent !== null) this.#statements.spend.run(spent, id);
      return false;
    });
  }

  end(id: string, { status, endedAt, reason, result, usage, leaseBefore }: RunEnd): Promise<boolean> {
    const values = {
      id,
      status,
      endedAt,
      reason,
      result,
      usage: usageText(usage),
      before: leaseBefore ?? null,
    };
    return this.#writer.run(() => this.#statements.end.run(values).changes > 0);
  }

  remove(id: string): Promise<boolean> {
    return this.#writer.run(() => this.#statements.remove.run(id).changes > 0);
  }
}

function prepareStatements(database: Database) {
  return {
    insert: database.prepare(
      `INSERT INTO runs (id, swarm, type, task, status, participants, usage, started_at, lease_until, lease_ms)
       VALUES (@id, @swarm, @type, @task, @status, @participants, @usage, @startedAt, @leaseUntil, @leaseMs)`,
    ),
    get: database.prepare('SELECT * FROM runs WHERE id = ?'),
    remove: database.prepare('DELETE FROM runs WHERE id = ?'),
    list: database.prepare(
      `SELECT * FROM runs WHERE (@swarm IS NULL OR swarm = @swarm) AND (@status IS NULL OR status = @status)
         AND (@before IS NULL OR lease_until < @before)
       ORDER BY started_at DESC, id DESC LIMIT +@limit`,
    ),
    touch: database.prepare(
      `UPDATE runs SET lease_until = max(lease_until, ?), usage = coalesce(?, usage) WHERE id = ? AND status = 'running'`,
    ),
    spend: database.prepare('UPDATE runs SET usage = ? WHERE id = ?'),
    end: database.prepare(
      `UPDATE runs SET status = @status, ended_at = @endedAt, reason = @reason, result = @result,
         usage = coalesce(@usage, usage)
       WHERE id = @id AND status = 'running' AND (@before IS NULL OR lease_until < @before)`,
    ),
  };
}

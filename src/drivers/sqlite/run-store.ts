/** The runs of swarms in SQLite. */
import type { Database } from 'better-sqlite3';
import type {
  RunDraft,
  RunEnd,
  RunQuery,
  RunRecord,
  RunStatus,
  RunStore,
  RunUsage,
} from '../../ports/run-store.ts';
import type { GroupWriter } from './group-writer.ts';
import { reading } from './reading.ts';

interface RunRow {
  readonly id: string;
  readonly swarm: string;
  readonly type: string;
  readonly task: string;
  readonly status: RunStatus;
  readonly participants: string;
  readonly usage: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly lease_until: number;
  readonly reason: string | null;
  readonly result: string | null;
}

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
    const { id, swarm, type, task, participants, usage, startedAt, leaseUntil } = draft;
    return this.#writer.run(() => {
      const lists = [JSON.stringify(participants), JSON.stringify(usage)];
      this.#statements.insert.run(id, swarm, type, task, ...lists, startedAt, leaseUntil);
      return { ...draft, status: 'running', endedAt: null, reason: null, result: null };
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
    const text = usage === undefined ? null : JSON.stringify(usage);
    return this.#writer.run(() => this.#statements.touch.run(leaseUntil, text, id).changes > 0);
  }

  end(id: string, { status, endedAt, reason, result, usage }: RunEnd): Promise<boolean> {
    const text = usage === undefined ? null : JSON.stringify(usage);
    return this.#writer.run(
      () => this.#statements.end.run(status, endedAt, reason, result, text, id).changes > 0,
    );
  }
}

function toRun(row: RunRow): RunRecord {
  const { started_at, ended_at, lease_until, participants, usage, ...rest } = row;
  return {
    ...rest,
    participants: JSON.parse(participants) as RunRecord['participants'],
    usage: JSON.parse(usage) as RunUsage,
    startedAt: started_at,
    endedAt: ended_at,
    leaseUntil: lease_until,
  };
}

function prepareStatements(database: Database) {
  return {
    insert: database.prepare(
      `INSERT INTO runs (id, swarm, type, task, status, participants, usage, started_at, lease_until)
       VALUES (?, ?, ?, ?, 'running', ?, ?, ?, ?)`,
    ),
    get: database.prepare('SELECT * FROM runs WHERE id = ?'),
    list: database.prepare(
      `SELECT * FROM runs WHERE (@swarm IS NULL OR swarm = @swarm) AND (@status IS NULL OR status = @status)
         AND (@before IS NULL OR lease_until < @before)
       ORDER BY started_at DESC, id DESC LIMIT +@limit`,
    ),
    touch: database.prepare(
      `UPDATE runs SET lease_until = max(lease_until, ?), usage = coalesce(?, usage) WHERE id = ? AND status = 'running'`,
    ),
    end: database.prepare(
      `UPDATE runs SET status = ?, ended_at = ?, reason = ?, result = ?, usage = coalesce(?, usage)
       WHERE id = ? AND status = 'running'`,
    ),
  };
}

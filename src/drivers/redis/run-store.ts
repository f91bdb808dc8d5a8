/** The runs of swarms in Redis: a hash for each, and one list of all by the time of their start. */
import { DAY } from '../../kernel/clock.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type {
  RunDraft,
  RunEnd,
  RunQuery,
  RunRecord,
  RunStatus,
  RunStore,
  RunUsage,
} from '../../ports/run-store.ts';
import { isWanted, startedRun } from '../../working/rules/runs.ts';
import type { Commands, RedisConnection } from './connection.ts';
import type { RedisKeys } from './keys.ts';
import { CREATE_RUN, END_RUN, TOUCH_RUN } from './scripts.ts';

/** What became of a run can be looked up for so long; its result is a memory, and stays. */
const KEPT_MS = 90 * DAY;
const PAGE = 200;

export class RedisRunStore implements RunStore {
  readonly #connection: RedisConnection;
  readonly #keys: RedisKeys;

  constructor(connection: RedisConnection, keys: RedisKeys) {
    this.#connection = connection;
    this.#keys = keys;
  }

  async create(draft: RunDraft): Promise<RunRecord> {
    const { id, startedAt, leaseUntil, usage, ...fixed } = draft;
    const call = this.#connection.call();
    // The run before its entry in the list: a list may name what is gone, but a run that nobody finds would stay.
    const made = await call.run(
      CREATE_RUN,
      [this.#keys.of(id, 'run')],
      [
        ...[String(KEPT_MS), JSON.stringify({ ...fixed, startedAt }), String(leaseUntil)],
        JSON.stringify(usage),
      ],
    );
    if (made !== 1) {
      throw new KeepsakeError('CONFLICT', `There is a run ${id} already.`, { hint: 'Give it another id.' });
    }
    await call.command('ZADD', this.#keys.runs, String(startedAt), id);
    return startedRun(draft);
  }

  get(id: string): Promise<RunRecord | null> {
    return readRun(this.#connection, this.#keys, id);
  }

  async list(query: RunQuery): Promise<readonly RunRecord[]> {
    const { limit } = query;
    const call = this.#connection.call();
    const found: RunRecord[] = [];
    let from = 0;
    while (found.length < limit) {
      const args = ['ZRANGE', this.#keys.runs, String(from), String(from + PAGE - 1), 'REV'];
      const ids = (await call.command(...args)) as readonly string[];
      const runs = await Promise.all(ids.map((id) => readRun(call, this.#keys, id)));
      const gone = ids.filter((_, i) => runs[i] === null);
      if (gone.length > 0) await call.command('ZREM', this.#keys.runs, ...gone);
      from += PAGE - gone.length;
      for (const run of runs) {
        if (run === null || found.length === limit) continue;
        if (isWanted(run, query)) found.push(run);
      }
      if (ids.length < PAGE) break;
    }
    return found;
  }

  async touch(
    id: string,
    sign: { readonly leaseUntil: number; readonly usage?: RunUsage },
  ): Promise<boolean> {
    const { leaseUntil, usage } = sign;
    const args = [String(leaseUntil), usage === undefined ? '' : JSON.stringify(usage)];
    return (await this.#connection.run(TOUCH_RUN, [this.#keys.of(id, 'run')], args)) === 1;
  }

  async end(id: string, { status, endedAt, reason, result, usage, leaseBefore }: RunEnd): Promise<boolean> {
    const end = JSON.stringify({ endedAt, reason, result });
    const spent = usage === undefined ? '' : JSON.stringify(usage);
    const args = [status, end, spent, String(KEPT_MS), leaseBefore === undefined ? '' : String(leaseBefore)];
    return (await this.#connection.run(END_RUN, [this.#keys.of(id, 'run')], args)) === 1;
  }

  async remove(id: string): Promise<boolean> {
    const call = this.#connection.call();
    // The list may name a run that is gone, but a run that nobody finds would stay.
    const removed = await call.command('DEL', this.#keys.of(id, 'run'));
    await call.command('ZREM', this.#keys.runs, id);
    return Number(removed) > 0;
  }
}

const RUNNING = { endedAt: null, reason: null, result: null };

async function readRun(redis: Commands, keys: RedisKeys, id: string): Promise<RunRecord | null> {
  const flat = (await redis.command('HGETALL', keys.of(id, 'run'))) as readonly string[];
  if (flat.length === 0) return null;
  const fields: Record<string, string> = {};
  for (let i = 0; i < flat.length; i += 2) fields[flat[i]!] = flat[i + 1]!;
  return toRun(id, fields);
}

function toRun(
  id: string,
  { draft = '{}', status, lease, usage = '{}', end }: Record<string, string>,
): RunRecord {
  return {
    id,
    // Runs of earlier versions do not say it.
    leaseMs: DAY,
    ...(JSON.parse(draft) as Omit<RunDraft, 'id' | 'leaseUntil' | 'leaseMs' | 'usage'>),
    status: status as RunStatus,
    leaseUntil: Number(lease),
    usage: JSON.parse(usage) as RunUsage,
    ...(end === undefined ? RUNNING : (JSON.parse(end) as typeof RUNNING)),
  };
}

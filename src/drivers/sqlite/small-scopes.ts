/** All records that somebody may see, where these are few: found by the indexes of agents and users alone. */
import type { Database } from 'better-sqlite3';
import { type OwnerCondition, type Viewer, visibleTo } from '../../kernel/scope.ts';
import type { ScopePart } from '../../ports/record-store.ts';
import { mostInScope } from '../common/small-scope.ts';
import type { RecordCache } from './record-cache.ts';
import { ownedBy } from './record-where.ts';
import { StatementCache } from './statement-cache.ts';

/** Before anything expires. */
const AT_FIRST = Number.NEGATIVE_INFINITY;
/** Parts that are kept while the database does not change. */
const MOST_KEPT = 64;

export class SmallScopes {
  readonly #statements: StatementCache;
  readonly #cache: RecordCache;
  readonly #stored;
  readonly #dataVersion;
  readonly #ownChanges;
  readonly #kept = new Map<string, ScopePart>();
  #state = '';

  constructor(database: Database, cache: RecordCache) {
    this.#statements = new StatementCache(database);
    this.#cache = cache;
    this.#stored = database.prepare('SELECT max(rid) FROM records').pluck();
    this.#dataVersion = database.prepare('PRAGMA data_version').pluck();
    this.#ownChanges = database.prepare('SELECT total_changes()').pluck();
  }

  /** Inside a transaction, so that it is one moment. Undefined when there is more. */
  of(viewer: Viewer): readonly ScopePart[] | undefined {
    this.#notice();
    const most = mostInScope((this.#stored.get() as number | null) ?? 0);
    const parts: ScopePart[] = [];
    let count = 0;
    for (const conditions of visibleTo(viewer)) {
      if (conditions.length === 0) return undefined;
      const part = this.#part(conditions, viewer, most - count);
      if (part === undefined) return undefined;
      count += part.records.length;
      if (part.records.length > 0) parts.push(part);
    }
    return parts;
  }

  /** Parts of the last states of the database may hold records that have changed. */
  #notice(): void {
    const state = `${this.#dataVersion.get()} ${this.#ownChanges.get()}`;
    if (state === this.#state) return;
    this.#state = state;
    this.#kept.clear();
    this.#cache.refresh();
  }

  #part(conditions: readonly OwnerCondition[], { agent }: Viewer, most: number): ScopePart | undefined {
    // What is shared is seen by its own agent twice.
    const except = conditions.some(({ field }) => field === 'scope') ? agent : undefined;
    const name = JSON.stringify([conditions, except]);
    const kept = this.#kept.get(name);
    if (kept !== undefined) return kept.records.length > most ? undefined : kept;
    const { sql, values } = ownedBy(conditions);
    // By an index alone, which only the limit stops: a further condition would be compared row by row.
    const rids = this.#statements
      .get(`SELECT r.rid FROM records r WHERE ${sql} ORDER BY r.rid DESC LIMIT +?`)
      .pluck()
      .all(...values, most + 1) as number[];
    if (rids.length > most) return undefined;
    const read = this.#cache.reader({ viewer: { role: 'admin' }, filter: {}, now: AT_FIRST });
    const records = rids.flatMap((rid) => read(rid) ?? []).filter((record) => record.agent !== except);
    const part = { name, records };
    this.#kept.set(name, part);
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return part;
  }
}

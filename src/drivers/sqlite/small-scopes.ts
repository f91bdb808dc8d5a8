/** All records that somebody may see, where these are few: found by the indexes of agents and users alone. */
import type { Database } from 'better-sqlite3';
import { defined } from '../../kernel/defined.ts';
import type { MemoryRecord } from '../../kernel/record.ts';
import { type OwnerCondition, type Viewer, visibleTo } from '../../kernel/scope.ts';
import type { ScopePart } from '../../ports/record-store.ts';
import { MOST_CHARACTERS, mostInScope } from '../common/small-scope.ts';
import type { RecordCache } from './record-cache.ts';
import { ownedBy } from './record-where.ts';
import { StatementCache } from './statement-cache.ts';

/** Before anything expires. */
const AT_FIRST = Number.NEGATIVE_INFINITY;
/** Memory of the parts that are kept while the database does not change. */
const MOST_KEPT = 32 * 2 ** 20;

interface Kept extends ScopePart {
  /** The rows that were compared: also those that the part leaves out, so that nothing depends on what is kept. */
  readonly rows: number;
  readonly characters: number;
  readonly bytes: number;
}

/** A part whose rows are known, and its records if these are kept. */
interface Found {
  /** Under which it is kept. */
  readonly key: string;
  readonly conditions: readonly OwnerCondition[];
  readonly except: string | undefined;
  readonly rids: readonly number[];
  readonly kept?: Kept;
}

const nameOf = (conditions: readonly OwnerCondition[], except: string | undefined): string =>
  JSON.stringify([conditions, except]);

export class SmallScopes {
  readonly #statements: StatementCache;
  readonly #cache: RecordCache;
  readonly #stored;
  readonly #dataVersion;
  readonly #ownChanges;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;
  #state = '';

  constructor(database: Database, cache: RecordCache) {
    this.#statements = new StatementCache(database);
    this.#cache = cache;
    this.#stored = database.prepare('SELECT max(rid) FROM records').pluck();
    this.#dataVersion = database.prepare('PRAGMA data_version').pluck();
    this.#ownChanges = database.prepare('SELECT total_changes()').pluck();
    // At once and not with the next search: there may be none, and what was forgotten is not kept.
    cache.whenChanged(() => this.#clear());
  }

  /** The memory of what is kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Inside a transaction, so that it is one moment. Undefined when there is more. */
  of(viewer: Viewer): readonly ScopePart[] | undefined {
    this.#notice();
    const most = mostInScope((this.#stored.get() as number | null) ?? 0);
    const found = this.#find(viewer, most);
    if (found === undefined) return undefined;
    const parts: Kept[] = [];
    let characters = 0;
    for (const each of found) {
      const part = this.#read(each, MOST_CHARACTERS - characters);
      if (part === undefined) return undefined;
      characters += part.characters;
      parts.push(part);
    }
    return parts.filter(({ records }) => records.length > 0);
  }

  /** Parts of the last states of the database may hold records that have changed. */
  #notice(): void {
    const state = `${this.#dataVersion.get()} ${this.#ownChanges.get()}`;
    if (state === this.#state) return;
    this.#state = state;
    this.#clear();
    this.#cache.refresh();
  }

  #clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  /** The rows of all parts, before any record is read. Undefined when there are more than `most`. */
  #find(viewer: Viewer, most: number): Found[] | undefined {
    const found: Found[] = [];
    let left = most;
    for (const conditions of visibleTo(viewer)) {
      if (conditions.length === 0) return undefined;
      // What is shared is seen by its own agent twice.
      const except = conditions.some(({ field }) => field === 'scope') ? viewer.agent : undefined;
      const key = nameOf(conditions, except);
      const kept = this.#kept.get(key);
      const rids = kept === undefined ? this.#rids(conditions, left) : [];
      left -= kept?.rows ?? rids.length;
      if (left < 0) return undefined;
      found.push({ key, conditions, except, rids, ...defined({ kept }) });
    }
    return found;
  }

  /** By an index alone, which only the limit stops: a further condition would be compared row by row. */
  #rids(conditions: readonly OwnerCondition[], most: number): readonly number[] {
    const { sql, values } = ownedBy(conditions);
    return this.#statements
      .get(`SELECT r.rid FROM records r WHERE ${sql} ORDER BY r.rid DESC LIMIT +?`)
      .pluck()
      .all(...values, most + 1) as number[];
  }

  /** Undefined as soon as the texts are longer than this together. */
  #read({ key, conditions, except, rids, kept }: Found, most: number): Kept | undefined {
    if (kept !== undefined) return kept.characters > most ? undefined : kept;
    const read = this.#cache.reader({ viewer: { role: 'admin' }, filter: {}, now: AT_FIRST });
    const records: MemoryRecord[] = [];
    let characters = 0;
    let bytes = 0;
    let isWhole = true;
    for (const rid of rids) {
      const record = read(rid);
      if (record === undefined) continue;
      if (record.agent === except) {
        isWhole = false;
        continue;
      }
      characters += record.content.length;
      if (characters > most) return undefined;
      bytes += this.#cache.bytesOf(rid);
      records.push(record);
    }
    // The same for all agents of whom nothing is left out: the words of a common knowledge base are counted once.
    const name = nameOf(conditions, isWhole ? undefined : except);
    const part = { name, records, rows: rids.length, characters, bytes };
    this.#keep(key, part);
    return part;
  }

  #keep(key: string, part: Kept): void {
    this.#kept.set(key, part);
    this.#bytes += part.bytes;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= MOST_KEPT) break;
      this.#kept.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}

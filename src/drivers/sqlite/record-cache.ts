/** Caches records that were read: good candidates come up again and again. */
import type { Database } from 'better-sqlite3';
import type { MemoryRecord } from '../../kernel/record.ts';
import { type Passing, passingReader } from '../common/passing-reader.ts';
import { RECORD_COLUMNS, type RecordRow, toRecord } from './record-rows.ts';

const MAX_BYTES = 96 * 2 ** 20;
/** The share that is filled ahead of searches. */
const FULL = 0.9;
/** Memory of a record besides its texts: numbers, names, entries in two tables. */
const OVERHEAD = 640;
/** Interned names (agents, categories): the same few again and again, each kept once. */
const MAX_NAMES = 10_000;
/** A time before anything expires. */
const AT_FIRST = Number.NEGATIVE_INFINITY;

interface Kept {
  readonly record: MemoryRecord;
  readonly bytes: number;
}

export class RecordCache {
  readonly #database: Database;
  readonly #dataVersion;
  readonly #row;
  readonly #rid;
  readonly #kept = new Map<number, Kept>();
  readonly #rids = new Map<string, number>();
  readonly #names = new Map<string, string>();
  readonly #watchers: (() => void)[] = [];
  #bytes = 0;
  #version = -1;

  constructor(database: Database) {
    this.#database = database;
    this.#watch();
    this.#dataVersion = database.prepare('PRAGMA data_version').pluck();
    this.#row = database.prepare(
      `SELECT ${RECORD_COLUMNS} FROM records r WHERE r.rid = ? AND r.forgotten_at IS NULL`,
    );
    this.#rid = database.prepare('SELECT rid FROM records WHERE id = ?').pluck();
  }

  /** To be called first in every transaction that reads: what another process wrote may be anything. */
  refresh(): void {
    const version = this.#dataVersion.get() as number;
    if (version === this.#version) return;
    this.#version = version;
    this.#kept.clear();
    this.#rids.clear();
    this.#bytes = 0;
  }

  /** Reads a record, if it is live and passes. It is shared with others who ask for it, so nobody may change it. */
  reader(query: Passing): (rid: number) => MemoryRecord | undefined {
    return passingReader(query, (rid) => this.#kept.get(rid)?.record ?? this.#read(rid));
  }

  /** Whether another record would take the place of one that is here. */
  get isFull(): boolean {
    return this.#bytes >= FULL * MAX_BYTES;
  }

  readAhead(rid: number): void {
    if (!this.#kept.has(rid)) this.#read(rid);
  }

  /** The memory of a record that was just read. */
  bytesOf(rid: number): number {
    return this.#kept.get(rid)?.bytes ?? 0;
  }

  /** Calls this with every change of a record by this process: whoever keeps records of this cache has to drop them. */
  whenChanged(watcher: () => void): void {
    this.#watchers.push(watcher);
  }

  /** The row number of a record. */
  ridOf(id: string): number | undefined {
    return this.#rids.get(id) ?? (this.#rid.get(id) as number | undefined);
  }

  /** Triggers report what this process changes, so that no way to change a record can be missed. */
  #watch(): void {
    this.#database.function('keepsake_record_changed', (rid: unknown) => {
      this.#drop(rid as number);
      for (const watcher of this.#watchers) watcher();
      return null;
    });
    for (const change of ['UPDATE', 'DELETE']) {
      this.#database.exec(`CREATE TEMP TRIGGER keepsake_watch_${change.toLowerCase()} AFTER ${change} ON main.records
        BEGIN SELECT keepsake_record_changed(OLD.rid); END`);
    }
  }

  #read(rid: number): MemoryRecord | undefined {
    const row = this.#row.get(rid) as RecordRow | undefined;
    if (row === undefined) return undefined;
    row.agent = this.#once(row.agent);
    row.scope = this.#once(row.scope);
    row.source = this.#once(row.source);
    row.category = this.#once(row.category);
    row.origin = this.#once(row.origin);
    if (row.thread !== null) row.thread = this.#once(row.thread);
    const record = toRecord(row, AT_FIRST);
    const bytes = OVERHEAD + 2 * (row.content.length + row.tags.length + row.metadata.length);
    this.#kept.set(rid, { record, bytes });
    this.#rids.set(record.id, rid);
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MAX_BYTES) break;
      this.#drop(oldest);
    }
    return record;
  }

  #drop(rid: number): void {
    const kept = this.#kept.get(rid);
    if (kept === undefined) return;
    this.#kept.delete(rid);
    this.#rids.delete(kept.record.id);
    this.#bytes -= kept.bytes;
  }

  #once<T extends string>(name: T): T {
    const known = this.#names.get(name);
    if (known !== undefined) return known as T;
    if (this.#names.size >= MAX_NAMES) this.#names.clear();
    this.#names.set(name, name);
    return name;
  }
}

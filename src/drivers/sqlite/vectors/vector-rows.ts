/** Writes vectors, always inside the transaction that changes their record: a record has its vector or waits for one. */
import type { Database } from 'better-sqlite3';
import type { Scope } from '../../../kernel/scope.ts';
import type { Embedding } from '../../../ports/record-store.ts';
import { partitionOf } from '../../common/partitions.ts';
import { toBlob, unitVector } from '../../common/vector-math.ts';
import type { EmbeddingModels } from './embedding-models.ts';
import { ROWS_PER_PACK, type VectorGroup } from './packs.ts';

/** A pack of which more than this part is gone is read row by row until it is rebuilt. */
const MOST_GAPS = 1 / 4;

export interface Placed {
  readonly rid: number;
  readonly agent: string;
  readonly user: string | null;
  readonly scope: Scope;
  readonly version: number;
}

interface Text {
  readonly content: string;
}

interface VectorRow {
  readonly seq: number;
  readonly model: number;
  readonly version: number;
  readonly silo: string;
  readonly vector: Buffer;
}

interface PackRow {
  readonly pack: number;
  readonly last_seq: number;
  readonly count: number;
}

export class VectorRows {
  readonly #models: EmbeddingModels;
  readonly #onMany: (group: VectorGroup) => void;
  readonly #onGone: (rid: number) => void;
  /** How many this process has written to each silo since it last told. */
  readonly #written = new Map<string, number>();
  readonly #insert;
  readonly #find;
  readonly #delete;
  readonly #enqueue;
  readonly #dequeue;
  readonly #packBefore;
  readonly #dropPack;
  readonly #dropPacksOf;
  readonly #dropAside;
  readonly #addGap;
  readonly #countGaps;
  #writes = 0;

  constructor(
    database: Database,
    models: EmbeddingModels,
    onMany: (group: VectorGroup) => void,
    onGone: (rid: number) => void,
  ) {
    this.#models = models;
    this.#onMany = onMany;
    this.#onGone = onGone;
    this.#insert = database.prepare(
      'INSERT INTO record_vectors (rid, model, version, silo, vector) VALUES (?, ?, ?, ?, ?)',
    );
    this.#find = database.prepare(
      'SELECT seq, model, version, silo, vector FROM record_vectors WHERE rid = ?',
    );
    this.#delete = database.prepare('DELETE FROM record_vectors WHERE seq = ?');
    this.#enqueue = database.prepare('INSERT OR IGNORE INTO embedding_queue (rid) VALUES (?)');
    this.#dequeue = database.prepare('DELETE FROM embedding_queue WHERE rid = ?');
    this.#packBefore = database.prepare(
      `SELECT pack, last_seq, count FROM vector_packs WHERE model = ? AND silo = ? AND first_seq <= ?
       ORDER BY first_seq DESC LIMIT 1`,
    );
    this.#dropPack = database.prepare('DELETE FROM vector_packs WHERE pack = ?');
    this.#dropPacksOf = database.prepare(
      'DELETE FROM vector_packs WHERE pack IN (SELECT pack FROM vector_gaps WHERE rid = ?)',
    );
    this.#dropAside = database.prepare('DELETE FROM vectors_aside WHERE rid = ?');
    this.#addGap = database.prepare('INSERT INTO vector_gaps (seq, rid, pack) VALUES (?, ?, ?)');
    this.#countGaps = database.prepare('SELECT count(*) FROM vector_gaps WHERE pack = ?').pluck();
  }

  /** Grows with every write of this process, which SQLite's own mark of changes does not show. */
  get writes(): number {
    return this.#writes;
  }

  /** For a record that is new: nothing has to be taken away first. */
  add(record: Placed, embedding: Embedding | undefined): void {
    if (embedding === undefined) this.#enqueue.run(record.rid);
    else this.#put(record, embedding);
  }

  /** For a record that becomes another version; `before` is the row as it was. */
  change(before: Placed & Text, after: Pick<Placed, 'scope'> & Text, embedding: Embedding | undefined): void {
    const { rid, agent, user } = before;
    const record = { rid, agent, user, scope: after.scope, version: before.version + 1 };
    if (embedding !== undefined) this.replace(record, embedding);
    else if (after.content !== before.content) this.#outdate(rid);
    else if (after.scope !== before.scope) this.#move(record);
  }

  replace(record: Placed, embedding: Embedding): void {
    if (this.#take(record.rid) === undefined) this.#dequeue.run(record.rid);
    this.#put(record, embedding);
  }

  /** Nothing of it stays, nor of the vectors it had before. */
  erase(rid: number): void {
    this.#take(rid);
    this.#dequeue.run(rid);
    this.#dropPacksOf.run(rid);
    this.#dropAside.run(rid);
  }

  /** All of them were replaced at once. */
  noticeSwitch(): void {
    this.#writes++;
  }

  /** The text is another one now: the record waits. */
  #outdate(rid: number): void {
    if (this.#take(rid) !== undefined) this.#enqueue.run(rid);
  }

  /** The record went to another silo with the same text. */
  #move(record: Placed): void {
    const row = this.#take(record.rid);
    if (row !== undefined)
      this.#insert.run(record.rid, row.model, row.version, partitionOf(record), row.vector);
  }

  #put({ rid, version, ...owner }: Placed, embedding: Embedding): void {
    const vector = unitVector(embedding);
    const { key } = this.#models.ensure(embedding.model, vector.length);
    const silo = partitionOf(owner);
    this.#insert.run(rid, key, version, silo, toBlob(vector));
    this.#writes++;
    this.#count({ model: key, silo, dimensions: vector.length });
  }

  #count(group: VectorGroup): void {
    const name = `${group.model} ${group.silo}`;
    const written = (this.#written.get(name) ?? 0) + 1;
    if (written < ROWS_PER_PACK) this.#written.set(name, written);
    else {
      this.#written.delete(name);
      this.#onMany(group);
    }
  }

  #take(rid: number): VectorRow | undefined {
    const row = this.#find.get(rid) as VectorRow | undefined;
    if (row === undefined) return undefined;
    this.#delete.run(row.seq);
    this.#onGone(rid);
    this.#writes++;
    const { seq, model, silo } = row;
    const pack = this.#packBefore.get(model, silo, seq) as PackRow | undefined;
    if (pack === undefined || pack.last_seq < seq) return row;
    if ((this.#countGaps.get(pack.pack) as number) < pack.count * MOST_GAPS)
      this.#addGap.run(seq, rid, pack.pack);
    else this.#dropPack.run(pack.pack);
    return row;
  }
}

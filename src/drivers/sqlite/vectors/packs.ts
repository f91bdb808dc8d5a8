/** Packs: stores many quantized vectors in one blob, so that a starting process reads hundreds of blobs, not 100,000 rows. */
import type { Database } from 'better-sqlite3';
import { fromBlob } from '../../common/vector-math.ts';
import {
  hasPacks,
  type Packable,
  type PackedRows,
  readPack,
  writePack,
} from '../../search-kernels/vectors/pack-format.ts';
import { giveBack, keepFreed } from './passing-memory.ts';

/** Half a megabyte at the usual dimensions. */
export const ROWS_PER_PACK = 1_024;
/** Writing a pack takes a few milliseconds, during which other writes wait. */
const PACKS_AT_ONCE = 4;
/** Fewer are not worth a pack of their own. */
const LEAST_ROWS = 256;
/** At the end, where new vectors arrive, a pack waits for more rows. A starting process quantizes those one by one: 5 ms. */
export const LEAST_AT_END = 512;

export interface VectorGroup {
  readonly model: number;
  readonly silo: string;
  readonly dimensions: number;
}

interface PackRow {
  readonly pack: number;
  readonly first_seq: number;
  readonly last_seq: number;
  readonly count: number;
}

interface VectorRow {
  readonly seq: number;
  readonly rid: number;
  readonly vector: Buffer;
}

export type Reading =
  | {
      readonly pack: PackedRows;
      readonly gaps: ReadonlySet<number>;
      /** Rows of this pack and of all that follow, so that memory grows once. */
      readonly ahead: number;
    }
  | { readonly rows: readonly Packable[] };

export class Packs {
  readonly #list;
  readonly #data;
  readonly #gaps;
  readonly #rows;
  readonly #insert;

  constructor(database: Database) {
    this.#list = database.prepare(
      'SELECT pack, first_seq, last_seq, count FROM vector_packs WHERE model = ? AND silo = ? AND first_seq > ? ORDER BY first_seq',
    );
    this.#data = database.prepare('SELECT data FROM vector_packs WHERE pack = ?').pluck();
    this.#gaps = database.prepare('SELECT seq FROM vector_gaps WHERE pack = ?').pluck();
    this.#rows = database.prepare(
      `SELECT seq, rid, vector FROM record_vectors WHERE model = ? AND silo = ? AND seq > ? AND seq < ?
       ORDER BY seq LIMIT +?`,
    );
    this.#insert = database.prepare(
      'INSERT INTO vector_packs (model, silo, first_seq, last_seq, count, data) VALUES (?, ?, ?, ?, ?, ?)',
    );
  }

  /** All vectors of a group after a number, in order. A pack is valid until the next one is read. */
  *read(group: VectorGroup, after: number): Generator<Reading> {
    let last = after;
    const packs = this.#packs(group, after);
    let ahead = packs.reduce((sum, { count }) => sum + count, 0);
    if (packs.length > 1) keepFreed();
    for (const { pack, first_seq, last_seq, count } of packs) {
      const data = this.#data.get(pack) as Buffer;
      const packed = readPack(data, count, group.dimensions);
      if (packed === undefined) continue;
      yield* this.#single(group, last, first_seq);
      const gaps = new Set(this.#gaps.all(pack) as number[]);
      yield { pack: packed, gaps, ahead };
      ahead -= count;
      giveBack(data);
      last = last_seq;
    }
    yield* this.#single(group, last, Number.MAX_SAFE_INTEGER);
  }

  /** Writes a few packs where enough rows wait; true when there is more to do. Runs inside a write transaction. */
  make(group: VectorGroup): boolean {
    if (!hasPacks) return false;
    let last = 0;
    let left = PACKS_AT_ONCE;
    for (const { first_seq, last_seq } of this.#packs(group, 0)) {
      left -= this.#fill(group, last, first_seq, LEAST_ROWS, left);
      last = last_seq;
    }
    return left === this.#fill(group, last, Number.MAX_SAFE_INTEGER, LEAST_AT_END, left);
  }

  #packs({ model, silo }: VectorGroup, after: number): PackRow[] {
    return hasPacks ? (this.#list.all(model, silo, after) as PackRow[]) : [];
  }

  *#single(group: VectorGroup, after: number, before: number): Generator<Reading> {
    for (let last = after; last < before - 1; ) {
      const page = this.#page(group, last, before);
      if (page.length > 0) yield { rows: readable(page, group.dimensions) };
      if (page.length < ROWS_PER_PACK) return;
      last = page.at(-1)!.seq;
    }
  }

  /** Writes at most `most` packs; returns how many. */
  #fill(group: VectorGroup, after: number, before: number, least: number, most: number): number {
    let last = after;
    for (let made = 0; made < most; made++) {
      const page = this.#page(group, last, before);
      if (page.length < least) return made;
      last = page.at(-1)!.seq;
      const rows = readable(page, group.dimensions);
      const data = writePack(rows, group.dimensions);
      this.#insert.run(group.model, group.silo, page[0]!.seq, last, rows.length, data);
    }
    return most;
  }

  #page({ model, silo }: VectorGroup, after: number, before: number): VectorRow[] {
    return this.#rows.all(model, silo, after, before, ROWS_PER_PACK) as VectorRow[];
  }
}

function readable(rows: readonly VectorRow[], dimensions: number): Packable[] {
  return rows.flatMap(({ seq, rid, vector }) => {
    const numbers = fromBlob(vector, dimensions);
    return numbers === undefined ? [] : [{ seq, rid, vector: numbers }];
  });
}

/** Searches with the extension sqlite-vec where it is installed; the best are rescored exactly, so that all ways agree. */
import type { Database } from 'better-sqlite3';
import { KeepsakeError } from '../../../kernel/errors.ts';
import { loadPackage } from '../../../runtime/load-package.ts';
import { fromBlob, toBlob } from '../../common/vector-math.ts';
import { cosine } from '../../search-kernels/vectors/dot.ts';
import { BestHits, type Hit } from '../../search-kernels/vectors/hits.ts';
import { type Scan, type Scanner, siloWhere } from './scanner.ts';

/** sqlite-vec adds in 32 bits: at 16,384 dimensions the error can be this large. */
const ERROR = 2e-4;

export async function loadSqliteVec(database: Database): Promise<void> {
  try {
    const { load } = loadPackage<typeof import('sqlite-vec')>('sqlite-vec');
    load(database);
  } catch (cause) {
    throw new KeepsakeError('UNSUPPORTED', 'sqlite-vec cannot be loaded.', {
      cause,
      hint: 'Install it with "npm install sqlite-vec", or search vectors with "wasm".',
    });
  }
}

export class SqliteVecScanner implements Scanner {
  readonly #database: Database;
  readonly #vector;

  constructor(database: Database) {
    this.#database = database;
    this.#vector = database.prepare('SELECT vector FROM record_vectors WHERE seq = ?').pluck();
  }

  nearest({ model, query, silos, where, limit }: Scan): Hit[] {
    const place = siloWhere(silos);
    // A vector of zeros has no direction, for which sqlite-vec has no answer: it is as far away as what is unrelated.
    const rows = this.#database
      .prepare(
        `SELECT v.seq, v.rid, coalesce(vec_distance_cosine(v.vector, ?), 1.0) AS distance
         FROM record_vectors v CROSS JOIN records r ON r.rid = v.rid
         WHERE v.model = ? AND length(v.vector) = ? AND ${place.sql} AND ${where.sql} ORDER BY distance`,
      )
      .raw()
      .iterate(
        toBlob(query),
        model,
        query.length * Float32Array.BYTES_PER_ELEMENT,
        ...place.values,
        ...where.values,
      ) as IterableIterator<[seq: number, rid: number, distance: number]>;
    const near: [seq: number, rid: number][] = [];
    let reach = Number.POSITIVE_INFINITY;
    for (const [seq, rid, distance] of rows) {
      if (distance > reach) break;
      near.push([seq, rid]);
      if (near.length === limit) reach = distance + 2 * ERROR;
    }
    const best = new BestHits(limit);
    for (const [seq, rid] of near) {
      const vector = fromBlob(this.#vector.get(seq) as Buffer, query.length);
      if (vector !== undefined) best.add({ rid, similarity: cosine(query, vector) });
    }
    return best.all();
  }
}

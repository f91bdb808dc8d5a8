/** Reads every vector and computes its cosine: slow, and the reference that the other ways are compared with. */
import type { Database } from 'better-sqlite3';
import { fromBlob } from '../../common/vector-math.ts';
import { cosine } from '../../search-kernels/vectors/dot.ts';
import { BestHits, type Hit } from '../../search-kernels/vectors/hits.ts';
import { type Scan, type Scanner, siloWhere } from './scanner.ts';

export class PlainScanner implements Scanner {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  nearest({ model, query, silos, where, limit }: Scan): Hit[] {
    const place = siloWhere(silos);
    const rows = this.#database
      .prepare(
        `SELECT v.rid, v.vector FROM record_vectors v CROSS JOIN records r ON r.rid = v.rid
         WHERE v.model = ? AND ${place.sql} AND ${where.sql}`,
      )
      .raw()
      .iterate(model, ...place.values, ...where.values) as IterableIterator<[rid: number, vector: Buffer]>;
    const best = new BestHits(limit);
    for (const [rid, blob] of rows) {
      const vector = fromBlob(blob, query.length);
      if (vector !== undefined) best.add({ rid, similarity: cosine(query, vector) });
    }
    return best.all();
  }
}

/** The ways to find the nearest vectors. All give the same results; they differ in speed and in what they need. */
import type { Hit } from '../../search-kernels/vectors/hits.ts';
import type { Where } from '../record-where.ts';

export const VECTOR_SEARCHES = ['wasm', 'plain', 'sqlite-vec'] as const;
export type VectorSearch = (typeof VECTOR_SEARCHES)[number];

export interface Scan {
  /** Key of the model. */
  readonly model: number;
  /** Of unit length. */
  readonly query: Float32Array;
  /** The silos to search; undefined: all. Vectors of other silos would not pass `where`. */
  readonly silos: readonly string[] | undefined;
  /** The filter in SQL, on records as `r`. */
  readonly where: Where;
  /** The filter for one record, by its row number. */
  readonly allows: (rid: number) => boolean;
  /** The row numbers of all records that pass the filter. */
  readonly passing: () => readonly number[];
  readonly limit: number;
}

export interface Scanner {
  /** The nearest records that pass, best first; of equal ones, the newer first. Runs inside a transaction, so it sees one state. */
  nearest(scan: Scan): Hit[];
}

/** SQL for the silos of a scan, on the vectors as `v`. */
export function siloWhere(silos: Scan['silos']): Where {
  if (silos === undefined) return { sql: 'TRUE', values: [] };
  return { sql: `v.silo IN (${silos.map(() => '?').join(', ')})`, values: silos };
}

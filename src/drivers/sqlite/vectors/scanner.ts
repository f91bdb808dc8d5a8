/** The ways to find the nearest vectors. All give the same answer; they differ in speed and in what they need. */
import type { RecordRow } from '../record-rows.ts';
import type { Where } from '../record-where.ts';

export const VECTOR_SEARCHES = ['wasm', 'plain', 'sqlite-vec'] as const;
export type VectorSearch = (typeof VECTOR_SEARCHES)[number];

export interface Scan {
  /** Key of the model. */
  readonly model: number;
  /** Of unit length. */
  readonly query: Float32Array;
  /** Where to look; undefined: everywhere. What is found elsewhere would not pass `where`. */
  readonly silos: readonly string[] | undefined;
  /** On the records, as `r`. */
  readonly where: Where;
  /** The same for one record, by its row number. */
  readonly allows: (rid: number) => boolean;
  /** The records that pass, all of them. */
  readonly passing: () => readonly number[];
  readonly limit: number;
}

export interface Hit {
  readonly rid: number;
  readonly similarity: number;
  /** The record, when it was read on the way. */
  readonly row?: RecordRow;
}

export interface Scanner {
  /** The nearest that pass, best first, ties by the newer. Runs inside a transaction, so it sees one moment. */
  nearest(scan: Scan): Hit[];
}

/** By similarity, then the newer first. */
export const byRank = (a: Hit, b: Hit): number => b.similarity - a.similarity || b.rid - a.rid;

/** SQL for the silos of a scan, on the vectors as `v`. */
export function siloWhere(silos: Scan['silos']): Where {
  if (silos === undefined) return { sql: 'TRUE', values: [] };
  return { sql: `v.silo IN (${silos.map(() => '?').join(', ')})`, values: silos };
}

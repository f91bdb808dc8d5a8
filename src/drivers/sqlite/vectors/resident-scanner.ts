/** Keeps rounded vectors in memory, finds what could be among the nearest, and compares those exactly. */
import type { Database, Statement } from 'better-sqlite3';
import { BestHits } from './best-hits.ts';
import type { Partition } from './partition.ts';
import { type QuantizedQuery, quantizeQuery } from './quantize.ts';
import type { ResidentVectors } from './resident-vectors.ts';
import type { Hit, Scan, Scanner } from './scanner.ts';
import { ScoreRanking } from './score-ranking.ts';
import { cosine, fromBlob } from './vector-math.ts';

const FIRST_BATCH = 128;
const BATCH_GROWTH = 4;
/** After so many candidates that the filter refused, it is quicker to ask which records it allows. */
const PATIENCE = 512;
/** Filters come in few shapes. */
const MAX_STATEMENTS = 64;

/** A row of a partition, by its place in the list of all scores. */
interface Stretch {
  readonly partition: Partition;
  readonly start: number;
}

export class ResidentScanner implements Scanner {
  readonly #database: Database;
  readonly #vectors: ResidentVectors;
  readonly #fallback: Scanner;
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database, vectors: ResidentVectors, fallback: Scanner) {
    this.#database = database;
    this.#vectors = vectors;
    this.#fallback = fallback;
  }

  nearest(scan: Scan): Hit[] {
    let partitions: readonly Partition[];
    try {
      partitions = this.#vectors.upToDate(scan.model, scan.query.length, scan.silos);
    } catch (error) {
      // No more memory to be had: then it takes longer.
      if (!(error instanceof RangeError)) throw error;
      return this.#fallback.nearest(scan);
    }
    const stretches: Stretch[] = [];
    let count = 0;
    for (const partition of partitions) {
      if (partition.count > 0) stretches.push({ partition, start: count });
      count += partition.count;
    }
    if (count === 0) return [];
    const query = quantizeQuery(scan.query);
    this.#vectors.ask(scan.model, query);
    return this.#choose(scan, stretches, scores(stretches, count, query));
  }

  #choose(scan: Scan, stretches: readonly Stretch[], bounds: Float32Array): Hit[] {
    const { query, where, limit } = scan;
    const best = new BestHits(limit);
    const verify = this.#statement(
      `SELECT CASE WHEN ${where.sql} THEN v.vector END FROM record_vectors v CROSS JOIN records r ON r.rid = v.rid
       WHERE v.seq = ?`,
    );
    const gone: { partition: Partition; position: number }[] = [];
    let refused = 0;
    /** False when its cosine cannot be among the best, and so none that follows: a bound is never too low. */
    const consider = (place: number): boolean => {
      if (best.full && bounds[place]! < best.worst) return false;
      const { partition, start } = stretchOf(stretches, place);
      const position = place - start;
      const blob = verify.get(...where.values, partition.seqAt(position)) as Buffer | null | undefined;
      const vector = blob == null ? undefined : fromBlob(blob, query.length);
      if (vector !== undefined)
        best.add({ rid: partition.ridAt(position), similarity: cosine(query, vector) });
      if (blob === undefined) gone.push({ partition, position });
      if (blob === null) refused++;
      return true;
    };

    const ranking = new ScoreRanking(bounds);
    for (let size = Math.max(FIRST_BATCH, 2 * limit), last = false; !last; size *= BATCH_GROWTH) {
      const filterFirst = refused >= PATIENCE;
      const batch = filterFirst ? ranking.rest(this.#allowing(scan, stretches)) : ranking.next(size);
      last = !batch.every(consider) || filterFirst || batch.length === 0;
    }
    // From the last to the first, because removing moves the last row.
    gone.sort((a, b) => b.position - a.position);
    for (const { partition, position } of gone) partition.remove(position);
    return best.all();
  }

  #allowing({ where }: Scan, stretches: readonly Stretch[]): (place: number) => boolean {
    const sql = `SELECT r.rid FROM records r WHERE ${where.sql}`;
    const allowed = new Set(this.#statement(sql).all(...where.values) as number[]);
    return (place) => {
      const { partition, start } = stretchOf(stretches, place);
      return allowed.has(partition.ridAt(place - start));
    };
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql).pluck();
      if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function scores(stretches: readonly Stretch[], count: number, query: QuantizedQuery): Float32Array {
  const all = new Float32Array(count);
  for (const { partition, start } of stretches) partition.score(query, all, start);
  return all;
}

function stretchOf(stretches: readonly Stretch[], place: number): Stretch {
  let [low, high] = [0, stretches.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (stretches[middle]!.start <= place) low = middle;
    else high = middle - 1;
  }
  return stretches[low]!;
}

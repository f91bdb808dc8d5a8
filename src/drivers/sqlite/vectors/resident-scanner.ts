/** Searches the quantized vectors that this process keeps in memory; exact vectors come from the cache or from SQLite. */
import type { Hit } from '../../search-kernels/vectors/hits.ts';
import { nearest } from '../../search-kernels/vectors/nearest.ts';
import type { Partition } from '../../search-kernels/vectors/partition.ts';
import { RefinedRanking } from '../../search-kernels/vectors/refined-ranking.ts';
import type { Ranking } from '../../search-kernels/vectors/score-ranking.ts';
import type { ResidentVectors } from './resident-vectors.ts';
import type { Scan, Scanner } from './scanner.ts';
import type { VectorCache } from './vector-cache.ts';

/** Where the rows of a partition begin in the ranking of all of them. */
interface Stretch {
  readonly partition: Partition;
  readonly start: number;
}

interface Row {
  readonly partition: Partition;
  readonly position: number;
}

export class ResidentScanner implements Scanner {
  readonly #vectors: ResidentVectors;
  readonly #fallback: Scanner;
  readonly #cache: VectorCache;

  constructor(vectors: ResidentVectors, cache: VectorCache, fallback: Scanner) {
    this.#vectors = vectors;
    this.#fallback = fallback;
    this.#cache = cache;
  }

  nearest(scan: Scan): Hit[] {
    let partitions: readonly Partition[];
    try {
      partitions = this.#vectors.upToDate(scan.model, scan.query.length, scan.silos);
    } catch (error) {
      // Out of memory: the slower way needs less.
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
    const { quantized, ranking } = this.#vectors.score(scan.model, partitions, scan.query);
    if (!quantized.isRough) return this.#choose(scan, stretches, ranking);
    const refined = new RefinedRanking(ranking, (place) => {
      const { partition, position } = rowAt(stretches, place);
      return partition.bound(quantized, position);
    });
    return this.#choose(scan, stretches, refined);
  }

  #choose(scan: Scan, stretches: readonly Stretch[], ranking: Ranking): Hit[] {
    const { query, model, allows, limit } = scan;
    const deleted: Row[] = [];
    const found = nearest(ranking, {
      rescore: (place) => {
        const row = rowAt(stretches, place);
        const rid = row.partition.ridAt(row.position);
        const similarity = this.#cache.withRow(query, model, rid, row.partition.seqAt(row.position));
        if (similarity === undefined) deleted.push(row);
        return similarity === undefined || similarity === null ? undefined : { rid, similarity };
      },
      allows,
      allowing: () => {
        const allowed = new Set(scan.passing());
        return (place) => {
          const { partition, position } = rowAt(stretches, place);
          return allowed.has(partition.ridAt(position));
        };
      },
      limit,
    });
    // From the last to the first, because removing moves the last row.
    deleted.sort((a, b) => b.position - a.position);
    for (const { partition, position } of deleted) partition.remove(position);
    return found;
  }
}

function rowAt(stretches: readonly Stretch[], place: number): Row {
  let [low, high] = [0, stretches.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (stretches[middle]!.start <= place) low = middle;
    else high = middle - 1;
  }
  const { partition, start } = stretches[low]!;
  return { partition, position: place - start };
}

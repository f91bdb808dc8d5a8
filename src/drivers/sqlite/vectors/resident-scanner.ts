/** Searches the quantized vectors that this process keeps in memory; exact vectors come from the cache or from SQLite. */
import type { Hit } from '../../search-kernels/vectors/hits.ts';
import type { Partition } from '../../search-kernels/vectors/partition.ts';
import { type PartitionRow, scanPartitions } from '../../search-kernels/vectors/scan-partitions.ts';
import type { ResidentVectors } from './resident-vectors.ts';
import type { Scan, Scanner } from './scanner.ts';
import type { VectorCache } from './vector-cache.ts';

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
    const { query, model, allows, passing, limit } = scan;
    let partitions: readonly Partition[];
    try {
      partitions = this.#vectors.upToDate(model, query.length, scan.silos);
    } catch (error) {
      // Out of memory: the slower way needs less.
      if (!(error instanceof RangeError)) throw error;
      return this.#fallback.nearest(scan);
    }
    const deleted: PartitionRow[] = [];
    const found = scanPartitions({
      partitions,
      memory: this.#vectors.memoryOf(model),
      query,
      rescore: (row) => {
        const { partition, position } = row;
        const [rid, seq] = [partition.ridAt(position), partition.seqAt(position)];
        const similarity = this.#cache.withRow(query, model, rid, seq);
        if (similarity === undefined) deleted.push(row);
        return similarity ?? undefined;
      },
      allows,
      passing,
      limit,
    });
    // From the last to the first, because removing moves the last row.
    deleted.sort((a, b) => b.position - a.position);
    for (const { partition, position } of deleted) partition.remove(position);
    return found;
  }
}

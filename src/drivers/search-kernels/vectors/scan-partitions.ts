/** Scans several partitions as one: the best of all of them, exactly, with a filter that is asked only about the best. */
import type { CodeMemory } from './code-memory.ts';
import type { Hit } from './hits.ts';
import { nearest } from './nearest.ts';
import type { Partition } from './partition.ts';
import { QuantizedQuery } from './quantized-query.ts';
import { RefinedRanking } from './refined-ranking.ts';
import { ScoreRanking } from './score-ranking.ts';

/** Where the rows of a partition begin in the ranking of all of them. */
interface Stretch {
  readonly partition: Partition;
  readonly start: number;
}

export interface PartitionRow {
  readonly partition: Partition;
  readonly position: number;
}

export interface PartitionScan {
  readonly partitions: readonly Partition[];
  /** Where the codes of their rows are. */
  readonly memory: CodeMemory;
  /** Of unit length. */
  readonly query: Float32Array;
  /** The exact cosine of a row; undefined when there is none any more. */
  readonly rescore: (row: PartitionRow) => number | undefined;
  readonly allows: (rid: number) => boolean;
  /** The row numbers of all records that pass the filter. */
  readonly passing: () => readonly number[];
  readonly limit: number;
}

export function scanPartitions(scan: PartitionScan): Hit[] {
  const stretches: Stretch[] = [];
  let count = 0;
  for (const partition of scan.partitions) {
    if (partition.count > 0) stretches.push({ partition, start: count });
    count += partition.count;
  }
  if (count === 0) return [];
  const quantized = new QuantizedQuery(scan.memory, scan.query);
  const ranking = new ScoreRanking(count);
  for (const { partition } of stretches) partition.score(quantized, ranking);
  const refined = quantized.isRough
    ? new RefinedRanking(ranking, (place) => {
        const { partition, position } = rowAt(stretches, place);
        return partition.bound(quantized, position);
      })
    : ranking;
  return nearest(refined, {
    rescore: (place) => {
      const row = rowAt(stretches, place);
      const similarity = scan.rescore(row);
      return similarity === undefined ? undefined : { rid: row.partition.ridAt(row.position), similarity };
    },
    allows: scan.allows,
    allowing: () => {
      const allowed = new Set(scan.passing());
      return (place) => {
        const { partition, position } = rowAt(stretches, place);
        return allowed.has(partition.ridAt(position));
      };
    },
    limit: scan.limit,
  });
}

function rowAt(stretches: readonly Stretch[], place: number): PartitionRow {
  let [low, high] = [0, stretches.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (stretches[middle]!.start <= place) low = middle;
    else high = middle - 1;
  }
  const { partition, start } = stretches[low]!;
  return { partition, position: place - start };
}

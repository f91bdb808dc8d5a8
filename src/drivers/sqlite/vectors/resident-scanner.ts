/** Keeps rounded vectors in memory, finds what could be among the nearest, and compares those exactly. */
import type { Partition } from './partition.ts';
import { RefinedRanking } from './refined-ranking.ts';
import type { ResidentVectors } from './resident-vectors.ts';
import type { Hit, Scan, Scanner } from './scanner.ts';
import type { Ranking } from './score-ranking.ts';
import type { VectorCache } from './vector-cache.ts';
import { WaitingHits } from './waiting-hits.ts';

const FIRST_BATCH = 128;
const BATCH_GROWTH = 4;
/** After so many candidates that the filter refused, it is quicker to ask which records it allows. */
const PATIENCE = 512;

/** A row of a partition, by its place in the list of all scores. */
interface Stretch {
  readonly partition: Partition;
  readonly start: number;
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
    const { question, ranking } = this.#vectors.score(scan.model, partitions, scan.query);
    if (!question.isRough) return this.#choose(scan, stretches, ranking);
    const refined = new RefinedRanking(ranking, (place) => {
      const { partition, start } = stretchOf(stretches, place);
      return partition.bound(question, place - start);
    });
    return this.#choose(scan, stretches, refined);
  }

  /** Exact cosines in the order of their bounds; a hit is final once nothing that follows can come before it. */
  #choose(scan: Scan, stretches: readonly Stretch[], ranking: Ranking): Hit[] {
    const { query, limit, model } = scan;
    const waiting = new WaitingHits();
    const found: Hit[] = [];
    const gone: { partition: Partition; position: number }[] = [];
    let refused = 0;
    /** Gives out what is better than all that is still to come; false when there is enough. */
    const settle = (bound: number): boolean => {
      for (let hit = waiting.takeAbove(bound); hit !== undefined; hit = waiting.takeAbove(bound)) {
        if (!scan.allows(hit.rid)) refused++;
        else if (found.push(hit) >= limit) return false;
      }
      return true;
    };
    const consider = (place: number, bound: number): boolean => {
      if (!settle(bound)) return false;
      const { partition, start } = stretchOf(stretches, place);
      const position = place - start;
      const rid = partition.ridAt(position);
      const similarity = this.#cache.withRow(query, model, rid, partition.seqAt(position));
      if (similarity === undefined) gone.push({ partition, position });
      else if (similarity !== null) waiting.add({ rid, similarity });
      return true;
    };

    for (let size = Math.max(FIRST_BATCH, 2 * limit), last = false; !last; size *= BATCH_GROWTH) {
      const filterFirst = refused >= PATIENCE;
      const { places, scores } = filterFirst
        ? ranking.rest(this.#allowing(scan, stretches))
        : ranking.next(size);
      const isEnough = !places.every((place, i) => consider(place, scores[i]!));
      last = isEnough || filterFirst || places.length === 0;
    }
    if (found.length < limit) settle(Number.NEGATIVE_INFINITY);
    // From the last to the first, because removing moves the last row.
    gone.sort((a, b) => b.position - a.position);
    for (const { partition, position } of gone) partition.remove(position);
    return found;
  }

  #allowing({ passing }: Scan, stretches: readonly Stretch[]): (place: number) => boolean {
    const allowed = new Set(passing());
    return (place) => {
      const { partition, start } = stretchOf(stretches, place);
      return allowed.has(partition.ridAt(place - start));
    };
  }
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

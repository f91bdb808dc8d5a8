/** Answers searches from records in memory, as the engine would: the same records in the same order. */
import type { MemoryRecord } from '../../kernel/record.ts';
import { isVisible, type Viewer, visibleTo } from '../../kernel/scope.ts';
import type {
  NeighbourQuery,
  Neighbours,
  TermStatistics,
  TermTable,
  TextCandidate,
  TextQuery,
  VectorCandidate,
  VectorQuery,
} from '../../ports/record-store.ts';
import { isOver } from '../../records/rules/stored-records.ts';
import { asStored, matchesFilter } from '../common/matches-filter.ts';
import { partitionsFor as ownerPartitions } from '../common/partitions.ts';
import { UNTHREADED_REACH } from '../common/record-columns.ts';
import { unitVector } from '../common/vector-math.ts';
import type { Hit } from '../search-kernels/text/best-records.ts';
import { rarityRatio } from '../search-kernels/text/bm25.ts';
import type { Logarithms } from './logarithms.ts';
import { partitionsFor } from './partitions.ts';
import type { ResidentRecords } from './resident-records.ts';

/** Asked for in addition, because a few hits may have expired. */
const SPARE = 16;
/** After the filter refused so many hits, going through all records that it allows is faster. */
const MOST_REFUSED = 512;
const GROWTH = 4;

type Passing = Pick<TextQuery, 'viewer' | 'filter' | 'now'>;
type Read = (rid: number) => MemoryRecord | undefined;

export class ResidentReads {
  readonly #records: ResidentRecords;
  readonly #logarithms: Logarithms;

  constructor(records: ResidentRecords, logarithms: Logarithms) {
    this.#records = records;
    this.#logarithms = logarithms;
  }

  termStatistics(terms: readonly string[], viewer: Viewer): TermStatistics {
    const { index } = this.#records;
    const partitions = partitionsFor(viewer, {});
    const population = index.recordsIn(partitions);
    const countOf =
      population === index.records
        ? (term: string) => index.dictionary.recordsWith(term)
        : index.counterIn(partitions);
    return { frequencies: new Map(terms.map((term) => [term, countOf(term)])), population };
  }

  termTable(ids: readonly string[], terms: readonly string[]): TermTable {
    const records = this.#records;
    return records.counter.table(
      ids.map((id) => records.ridOf(id)),
      terms,
    );
  }

  async searchText(query: TextQuery): Promise<TextCandidate[]> {
    const { ranker } = this.#records;
    const { viewer, filter, limit } = query;
    const terms = [...new Set(query.terms)];
    if (terms.length === 0 || limit < 1) return [];
    // A change that arrives while the engine is asked makes other numbers of them.
    for (let unknown = this.#unknown(terms); unknown.length > 0; unknown = this.#unknown(terms))
      await this.#logarithms.learn(unknown);
    const prepared = ranker.prepare(terms, partitionsFor(viewer, filter));
    const read = this.#reader(query);
    const found: TextCandidate[] = [];
    const take = ({ rid, score }: Hit): void => {
      if (found.length >= limit) return;
      const record = read(rid);
      if (record !== undefined) found.push({ record, textScore: score });
    };
    let done = 0;
    for (let size = limit + SPARE; ; size *= GROWTH) {
      const hits = ranker.best(prepared, size);
      hits.slice(done).forEach(take);
      if (found.length >= limit || hits.length < size) return found;
      done = hits.length;
      if (done - found.length >= MOST_REFUSED) break;
    }
    found.length = 0;
    ranker.among(prepared, this.#passing(read), limit).forEach(take);
    return found;
  }

  nearest(query: VectorQuery): VectorCandidate[] {
    const { viewer, filter, embedding, limit } = query;
    if (limit < 1) return [];
    const read = this.#reader(query);
    const hits = this.#records.vectors.nearest({
      model: embedding.model,
      query: unitVector(embedding),
      partitions: ownerPartitions(viewer, filter),
      allows: (rid) => read(rid) !== undefined,
      passing: () => this.#passing(read),
      limit,
    });
    return hits.map(({ rid, similarity }) => ({ record: read(rid)!, similarity }));
  }

  similarities(ids: readonly string[], embedding: VectorQuery['embedding']): Map<string, number> {
    const query = unitVector(embedding);
    const found = new Map<string, number>();
    for (const id of ids) {
      const rid = this.#records.ridOf(id);
      const similarity =
        rid === undefined ? undefined : this.#records.vectors.similarity(rid, embedding.model, query);
      if (similarity !== undefined) found.set(id, similarity);
    }
    return found;
  }

  neighbours(query: NeighbourQuery): Map<string, Neighbours> {
    const records = this.#records;
    const visibility = visibleTo(query.viewer);
    const read = this.#reader(query);
    const found = new Map<string, Neighbours>();
    for (const id of query.ids) {
      const rid = records.ridOf(id);
      const record = rid === undefined ? undefined : records.get(rid);
      if (rid === undefined || record === undefined || !isVisible(visibility, record)) continue;
      const { before, after } =
        record.thread === null ? this.#stored(rid, record) : beside(records.thread(record), rid);
      const nearest = (rids: readonly number[]): MemoryRecord[] => {
        const passing: MemoryRecord[] = [];
        for (const each of rids) {
          if (passing.length >= query.reach) break;
          const neighbour = read(each);
          if (neighbour !== undefined) passing.push(neighbour);
        }
        return passing;
      };
      found.set(id, { before: nearest(before), after: nearest(after) });
    }
    return found;
  }

  /** Stored just before and after, by the same agent about the same user, without a thread; nearest first. */
  #stored(rid: number, { agent, user }: MemoryRecord) {
    const [before, after]: [number[], number[]] = [[], []];
    const isBeside = (each: number): boolean => {
      const other = this.#records.get(each);
      return other?.thread === null && other.agent === agent && other.user === user;
    };
    for (let distance = 1; distance <= UNTHREADED_REACH; distance++) {
      if (isBeside(rid - distance)) before.push(rid - distance);
      if (isBeside(rid + distance)) after.push(rid + distance);
    }
    return { before, after };
  }

  /** What the scores need the logarithms of, as far as they are not known. */
  #unknown(terms: readonly string[]): number[] {
    const { dictionary, records } = this.#records.index;
    const holders = terms.map((term) => dictionary.recordsWith(term)).filter((count) => count > 0);
    return this.#logarithms.unknown(holders.map((count) => rarityRatio(count, records)));
  }

  /** Reads a record, if it is live and passes. */
  #reader({ viewer, filter, now }: Passing): Read {
    const isUnfiltered = Object.keys(filter).length === 0;
    const wanted = asStored(filter);
    const visibility = visibleTo(viewer);
    return (rid) => {
      const record = this.#records.get(rid);
      if (record === undefined || isOver(record.expiresAt, now) || !isVisible(visibility, record))
        return undefined;
      return isUnfiltered || matchesFilter(record, wanted) ? record : undefined;
    };
  }

  #passing(read: Read): number[] {
    return [...this.#records.all()].filter((rid) => read(rid) !== undefined);
  }
}

function beside(thread: readonly number[], rid: number) {
  const place = thread.indexOf(rid);
  return { before: thread.slice(0, place).toReversed(), after: thread.slice(place + 1) };
}

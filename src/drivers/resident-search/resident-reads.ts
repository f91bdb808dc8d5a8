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
import { partitionsFor } from '../common/partitions.ts';
import { type Passing, passingReader } from '../common/passing-reader.ts';
import { UNTHREADED_REACH } from '../common/record-columns.ts';
import { unitVector } from '../common/vector-math.ts';
import type { Logarithms } from './logarithms.ts';
import type { ResidentRecords } from './resident-records.ts';

type Read = (rid: number) => MemoryRecord | undefined;

export class ResidentReads {
  readonly #records: ResidentRecords;
  readonly #logarithms: Logarithms;

  constructor(records: ResidentRecords, logarithms: Logarithms) {
    this.#records = records;
    this.#logarithms = logarithms;
  }

  termStatistics(terms: readonly string[], viewer: Viewer): TermStatistics {
    return this.#records.words.statistics(terms, viewer);
  }

  termTable(ids: readonly string[], terms: readonly string[]): TermTable {
    const records = this.#records;
    return records.words.table(
      ids.map((id) => records.ridOf(id)),
      terms,
    );
  }

  async searchText(query: TextQuery): Promise<TextCandidate[]> {
    const { words } = this.#records;
    const terms = [...new Set(query.terms)];
    if (terms.length === 0 || query.limit < 1) return [];
    const unknown = () => this.#logarithms.unknown(words.rarities(terms));
    // A change that arrives while the engine is asked makes other numbers of them.
    for (let asked = unknown(); asked.length > 0; asked = unknown()) await this.#logarithms.learn(asked);
    const read = this.#reader(query);
    return words.find({ ...query, terms }, { read, all: () => this.#passing(read) });
  }

  nearest(query: VectorQuery): VectorCandidate[] {
    const { viewer, filter, embedding, limit } = query;
    if (limit < 1) return [];
    const read = this.#reader(query);
    const hits = this.#records.vectors.nearest({
      model: embedding.model,
      query: unitVector(embedding),
      partitions: partitionsFor(viewer, filter),
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

  #reader(query: Passing): Read {
    return passingReader(query, (rid) => this.#records.get(rid));
  }

  #passing(read: Read): number[] {
    return [...this.#records.all()].filter((rid) => read(rid) !== undefined);
  }
}

function beside(thread: readonly number[], rid: number) {
  const place = thread.indexOf(rid);
  return { before: thread.slice(0, place).toReversed(), after: thread.slice(place + 1) };
}

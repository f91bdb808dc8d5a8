/** Finds records by their words and by their meaning, weighs both together with what stands beside them. */
import { queryTerms } from '../../kernel/analysis.ts';
import type { MemoryRecord } from '../../kernel/record.ts';
import type { Viewer } from '../../kernel/scope.ts';
import type { Embedding, Neighbours, RecordFilter, RecordStore } from '../../ports/record-store.ts';
import type { Embedder } from '../embedder.ts';
import { isQuestion, REACH, type Turn, withContext } from './context-evidence.ts';
import { type AskedTime, isOf, timeAskedFor } from './dates.ts';
import { borrowedTerms, expand } from './expansion.ts';
import { type Calibration, type Evidence, fuse, semantic } from './fusion.ts';
import { linesBeside, speakerOf } from './lines.ts';
import { type Asked, readQuestion } from './question.ts';
import { TermCounter, type TermCounts, withLabels } from './term-counts.ts';
import {
  bm25,
  bm25Of,
  coverage,
  fullWeight,
  type Holdings,
  holdings,
  rarest,
  type Weights,
  withNames,
} from './text-evidence.ts';

export interface HybridQuery {
  readonly query: string;
  readonly viewer: Viewer;
  readonly filter: RecordFilter;
  /** The instant at which records must be live. */
  readonly now: number;
  /** Search what held at `now`, also in records that have changed since. */
  readonly past: boolean;
  /** How many candidates each way of searching should bring. */
  readonly candidates: number;
}

/** A record and all that speaks for it. */
export interface Judged {
  readonly record: MemoryRecord;
  /** How well it answers the question, 0 to 1. */
  readonly relevance: number;
  /** Share of the question's telling words that it holds, 0 to 1. */
  readonly coverage: number;
  /** Cosine with the question, or null when one of the two has no vector. */
  readonly similarity: number | null;
  /** The same, calibrated: 0 is what unrelated texts reach, 1 what texts of the same meaning reach. */
  readonly semantic: number;
  /** What its neighbours in the thread add, 0 to 1. */
  readonly context: number;
  /** The words of the question that it holds, as stems. */
  readonly held: Holdings;
  readonly terms: TermCounts;
  /** Whether it is of the time that the question names. */
  readonly isOfThen: boolean;
  /** Words of the question that nobody holds, by the stems that they were read as. */
  readonly readAs: ReadonlyMap<string, string>;
}

interface Candidate {
  readonly record: MemoryRecord;
  readonly terms: TermCounts;
  /** What it holds of the question's own words. */
  readonly held: Holdings;
  similarity: number | null;
  /** What it said then, while its stored vector is of what it says now. */
  readonly past: boolean;
  readonly isOfThen: boolean;
}

type Pool = Map<string, Candidate>;

/** More words than this do not fit into one look at the index; the rarest say the most. */
const MAX_ASKED = 64;
const MAX_QUERY_TERMS = 256;
/** Records whose neighbours are looked at. */
const SEEDS = 30;
/** Records of the time that a question names. */
const MAX_OF_THEN = 100;
/** Changed records that are compared one by one when the past is searched. */
const MAX_CHANGED = 10_000;
const NO_CALIBRATION: Calibration = { unrelated: 0, same: 1 };
const NO_NEIGHBOURS: Neighbours = { before: [], after: [] };

export class HybridSearch {
  readonly #store: RecordStore;
  readonly #embedder: Embedder;
  readonly #borrowsWords: boolean;
  readonly #counter = new TermCounter();

  constructor(store: RecordStore, embedder: Embedder, borrowsWords = true) {
    this.#store = store;
    this.#embedder = embedder;
    this.#borrowsWords = borrowsWords;
  }

  async judge(request: HybridQuery): Promise<Judged[]> {
    const terms = queryTerms(request.query, MAX_QUERY_TERMS);
    // Marks alone ask for nothing, though a model may know them.
    if (terms.length === 0) return [];
    const time = timeAskedFor(request.query, request.now);
    const [statistics, embedding, ofThen] = await Promise.all([
      this.#store.termStatistics(terms),
      this.#embedder.query(request.query),
      this.#ofThen(time, request),
    ]);
    const asked = await readQuestion(this.#store, {
      query: request.query,
      terms,
      statistics,
      time,
      ofThen: ofThen.length,
    });
    const pool: Pool = new Map();
    const [words, near] = await Promise.all([
      this.#byWords(rarest(asked.known, asked.weights, MAX_ASKED), request),
      this.#byMeaning(embedding, request),
    ]);
    for (const record of [...words, ...ofThen]) this.#take(pool, record, asked);
    for (const { record, similarity } of near) this.#take(pool, record, asked).similarity = similarity;
    if (request.past) await this.#takeChanged(pool, embedding, asked, request);

    const first = this.#weighed(pool, asked.weights);
    const neighbours = await this.#neighbours(pool, first, asked, request);
    const expansion = await this.#expansion(pool, first, asked, request);
    await this.#compare(pool, embedding);
    return this.#judged(pool, asked, expansion, neighbours);
  }

  async #ofThen(time: AskedTime | undefined, request: HybridQuery): Promise<readonly MemoryRecord[]> {
    if (time === undefined) return [];
    const { viewer, now, filter } = within(request);
    const createdSince = Math.max(time.from, filter.createdSince ?? 0);
    const createdBefore = Math.min(time.to, filter.createdBefore ?? time.to);
    const ofThen = { ...filter, createdSince, createdBefore };
    return this.#store.list({ viewer, now, filter: ofThen, limit: MAX_OF_THEN });
  }

  async #byWords(terms: readonly string[], request: HybridQuery): Promise<MemoryRecord[]> {
    if (terms.length === 0) return [];
    const found = await this.#store.searchText({ ...within(request), terms, limit: request.candidates });
    return found.map((candidate) => candidate.record);
  }

  async #byMeaning(embedding: Embedding | undefined, request: HybridQuery) {
    if (embedding === undefined) return [];
    return this.#store.vectors.search({ ...within(request), embedding, limit: request.candidates });
  }

  /** No index holds what records said before they changed, so these are compared one by one. */
  async #takeChanged(
    pool: Pool,
    embedding: Embedding | undefined,
    asked: Asked,
    request: HybridQuery,
  ): Promise<void> {
    const { viewer, filter, now } = request;
    const changed = await this.#store.changedSince({ viewer, filter, at: now, limit: MAX_CHANGED });
    for (const record of changed) {
      const candidate = this.#take(pool, record, asked, { past: true });
      candidate.similarity =
        embedding === undefined ? null : this.#embedder.compare(record.content, embedding);
    }
  }

  /** `telling` are the words by which the passage of a long text is chosen. */
  #take(
    pool: Pool,
    record: MemoryRecord,
    { weights, time }: Asked,
    { past = false, telling = weights }: { past?: boolean; telling?: Weights } = {},
  ): Candidate {
    let candidate = pool.get(record.id);
    if (candidate === undefined) {
      const isOfThen = time !== undefined && isOf(record, time);
      const own = this.#counter.of(record, telling);
      const terms = isOfThen ? withLabels(own, time.terms) : own;
      const held = holdings(terms, weights);
      candidate = { record, terms, held, similarity: null, past, isOfThen };
      pool.set(record.id, candidate);
    }
    return candidate;
  }

  /** The candidates, best first, by their own evidence alone. */
  #weighed(pool: Pool, weights: Weights): { candidate: Candidate; score: number }[] {
    const candidates = [...pool.values()];
    const typical = typicalLength(candidates);
    const whole = fullWeight(weights);
    const evidence = candidates.map(
      ({ held, similarity }): Evidence => ({
        text: bm25(held, typical),
        similarity,
        coverage: coverage(held, whole),
      }),
    );
    const relevances = fuse(evidence, this.#calibration, whole);
    return candidates
      .map((candidate, index) => ({ candidate, score: relevances[index] as number }))
      .sort((a, b) => b.score - a.score || (a.candidate.record.id < b.candidate.record.id ? 1 : -1));
  }

  async #neighbours(
    pool: Pool,
    first: readonly { candidate: Candidate }[],
    asked: Asked,
    request: HybridQuery,
  ): Promise<ReadonlyMap<string, Neighbours>> {
    const ids = first
      .slice(0, SEEDS)
      .filter(
        ({ candidate: { record } }) => record.thread !== null || speakerOf(record.content) !== undefined,
      )
      .map(({ candidate }) => candidate.record.id);
    if (ids.length === 0) return new Map();
    const found = new Map(await this.#store.neighbours({ ...within(request), ids, reach: REACH }));
    for (const [id, beside] of found) {
      const { record } = pool.get(id) as Candidate;
      const neighbours = record.thread === null ? linesBeside(record, beside) : beside;
      found.set(id, neighbours);
      for (const other of [...neighbours.before, ...neighbours.after]) this.#take(pool, other, asked);
    }
    return found;
  }

  /** A second look with the words that the best hits share. */
  async #expansion(
    pool: Pool,
    first: readonly { candidate: Candidate; score: number }[],
    asked: Asked,
    request: HybridQuery,
  ): Promise<Weights> {
    const hits = first.map(({ candidate, score }) => ({ terms: candidate.terms, score }));
    const shares = this.#borrowsWords ? borrowedTerms(hits, asked.weights) : new Map();
    if (shares.size === 0) return new Map();
    const { frequencies } = await this.#store.termStatistics([...shares.keys()]);
    const expansion = expand(shares, frequencies, asked.population);
    const telling = new Map([...expansion, ...asked.weights]);
    for (const record of await this.#byWords([...expansion.keys()], request))
      this.#take(pool, record, asked, { telling });
    return expansion;
  }

  /** Similarities of those that were found by their words only. */
  async #compare(pool: Pool, embedding: Embedding | undefined): Promise<void> {
    if (embedding === undefined) return;
    const unknown = [...pool.values()].filter(({ similarity, past }) => similarity === null && !past);
    const similarities = await this.#store.vectors.similarities(
      unknown.map((candidate) => candidate.record.id),
      embedding,
    );
    for (const candidate of unknown) candidate.similarity = similarities.get(candidate.record.id) ?? null;
    // The vector of a long text is of all that it is about: the passage that answers is compared by itself.
    for (const candidate of pool.values()) {
      const { passage } = candidate.terms;
      if (passage === undefined || candidate.similarity === null) continue;
      const text = candidate.record.content.slice(passage.start, passage.end);
      candidate.similarity = Math.max(
        candidate.similarity,
        this.#embedder.compare(text, embedding, passage) ?? candidate.similarity,
      );
    }
  }

  #judged(
    pool: Pool,
    { weights, readAs, names }: Asked,
    expansion: Weights,
    neighbours: ReadonlyMap<string, Neighbours>,
  ): Judged[] {
    const candidates = [...pool.values()];
    const typical = typicalLength(candidates);
    const whole = fullWeight(weights);
    const turns = new Map(
      candidates.map(({ record, terms, held }): [string, Turn] => [
        record.id,
        {
          length: terms.length,
          asks: isQuestion(record.content),
          score: bm25(held, typical) + bm25Of(terms, expansion, typical),
        },
      ]),
    );
    const beside = besideEach(neighbours, pool);
    const turnsOf = (records: readonly MemoryRecord[]): Turn[] =>
      records.map((record) => turns.get(record.id)).filter((turn) => turn !== undefined);
    const texts = candidates.map(({ record }) => {
      const { before, after } = beside.get(record.id) ?? NO_NEIGHBOURS;
      return withContext(turns.get(record.id) as Turn, turnsOf(before), turnsOf(after));
    });
    const evidence = candidates.map(
      (candidate, index): Evidence => ({
        text: withNames(candidate.terms, names, texts[index] as number, whole),
        similarity: candidate.similarity,
        coverage: coverage(candidate.held, whole),
      }),
    );
    const relevances = fuse(evidence, this.#calibration, whole);
    const most = Math.max(0, ...texts);
    return candidates.map(({ record, terms, held, similarity, isOfThen }, index) => ({
      record,
      terms,
      isOfThen,
      readAs,
      similarity,
      relevance: relevances[index] as number,
      coverage: (evidence[index] as Evidence).coverage,
      semantic: similarity === null ? 0 : semantic(similarity, this.#calibration),
      context:
        most === 0 ? 0 : Math.max(0, (texts[index] as number) - (turns.get(record.id) as Turn).score) / most,
      held,
    }));
  }

  get #calibration(): Calibration {
    return this.#embedder.calibration ?? NO_CALIBRATION;
  }
}

function within({ viewer, filter, now, past }: HybridQuery) {
  return { viewer, now, filter: past ? { ...filter, heldAt: now } : filter };
}

function typicalLength(candidates: readonly Candidate[]): number {
  const total = candidates.reduce((sum, { terms }) => sum + terms.length, 0);
  return Math.max(1, total / Math.max(1, candidates.length));
}

/** A neighbour of a seed has the seed beside it, and those between. */
function besideEach(neighbours: ReadonlyMap<string, Neighbours>, pool: Pool): Map<string, Neighbours> {
  const beside = new Map<string, Neighbours>(neighbours);
  for (const [id, { before, after }] of neighbours) {
    const line = [...before.toReversed(), (pool.get(id) as Candidate).record, ...after];
    line.forEach((record, place) => {
      if (beside.has(record.id)) return;
      beside.set(record.id, {
        before: line.slice(Math.max(0, place - REACH), place).toReversed(),
        after: line.slice(place + 1, place + 1 + REACH),
      });
    });
  }
  return beside;
}

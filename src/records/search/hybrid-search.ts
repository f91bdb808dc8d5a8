/** Hybrid search: finds records by words and meaning, and fuses both with the evidence of neighbours. */
import { queryTerms } from '../../kernel/analysis.ts';
import type { KeepsakeError } from '../../kernel/errors.ts';
import type { MemoryRecord } from '../../kernel/record.ts';
import type { Viewer } from '../../kernel/scope.ts';
import type {
  Embedding,
  Neighbours,
  RecordFilter,
  RecordStore,
  SearchReads,
} from '../../ports/record-store.ts';
import type { Embedder } from '../embedder.ts';
import { type Candidate, Candidates } from './candidates.ts';
import { REACH } from './context-evidence.ts';
import { type AskedTime, timeAskedFor } from './dates.ts';
import { borrowedTerms, distinctLenders, expand } from './expansion.ts';
import { speakerIn } from './form.ts';
import type { Calibration } from './fusion.ts';
import { type Borrowed, type Judged, judged, weighed } from './judgement.ts';
import { linesBeside } from './lines.ts';
import { openingBoosts } from './opening.ts';
import { type Asked, readQuestion } from './question.ts';
import { SmallScopes } from './small-scope.ts';
import { speechBoosts } from './speech.ts';
import { TermCounter, type TermCounts } from './term-counts.ts';
import { rarest, type Weights } from './text-evidence.ts';
import { wholeFirst } from './whole-answers.ts';
import { WordCounts } from './word-counts.ts';

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
  /** Called when the question could not be embedded, so that only its words were searched. */
  readonly onWordsOnly?: (why: KeepsakeError) => void;
}

/** A search under way, and what it reads. */
interface Looking extends HybridQuery {
  readonly reads: SearchReads;
  readonly words: WordCounts;
}

type Weighed = ReturnType<typeof weighed>;

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
const NOTHING: Borrowed = { worth: new Float64Array(0), rows: [] };

export class HybridSearch {
  readonly #store: RecordStore;
  readonly #embedder: Embedder;
  readonly #borrowsWords: boolean;
  readonly #words: WordCounts;
  readonly #smallScopes: SmallScopes;

  constructor(store: RecordStore, embedder: Embedder, borrowsWords = true) {
    this.#store = store;
    this.#embedder = embedder;
    this.#borrowsWords = borrowsWords;
    const counter = new TermCounter();
    this.#words = new WordCounts(store, counter);
    this.#smallScopes = new SmallScopes(store, counter);
  }

  async judge(query: HybridQuery): Promise<Judged[]> {
    const terms = queryTerms(query.query, MAX_QUERY_TERMS);
    // Marks alone ask for nothing, though a model may know them.
    if (terms.length === 0) return [];
    const inMemory = (await this.#smallScopes.of(query.viewer)) ?? (await this.#store.forSearch?.());
    const reads = inMemory ?? this.#store;
    const words = inMemory === undefined ? this.#words : this.#words.by(inMemory);
    return this.#judge(terms, { ...query, reads, words });
  }

  async #judge(terms: readonly string[], request: Looking): Promise<Judged[]> {
    const time = timeAskedFor(request.query, request.now);
    const [statistics, embedding, ofThen] = await Promise.all([
      request.reads.termStatistics(terms, request.viewer),
      this.#embedder.query(request.query, request.onWordsOnly),
      this.#ofThen(time, request),
    ]);
    const asked = await readQuestion(request.reads, {
      query: request.query,
      viewer: request.viewer,
      terms,
      statistics,
      time,
      ofThen: ofThen.length,
    });
    const candidates = new Candidates(request.words, asked);
    const [words, near] = await Promise.all([
      this.#byWords(rarest(asked.known, asked.weights, MAX_ASKED), request),
      this.#byMeaning(embedding, request),
    ]);
    await candidates.take([...words, ...ofThen, ...near.map(({ record }) => record)]);
    for (const { record, similarity } of near) candidates.get(record.id)!.similarity = similarity;
    if (request.past) await this.#takeChanged(candidates, embedding, request);

    const first = weighed(candidates.all(), asked, this.#calibration);
    const beside = await this.#neighbours(candidates, first, request);
    const borrowed = await this.#borrow(candidates, first, asked, request);
    const all = candidates.all();
    await this.#compare(all, embedding, request);
    const hits = judged(all, { asked, calibration: this.#calibration, borrowed, beside });
    const openings = openingBoosts(hits, embedding, this.#embedder);
    const speech = speechBoosts(records(hits), request.query);
    const isPlain = openings.every((boost) => boost === 1) && speech.every((boost) => boost === 1);
    const shaped = isPlain
      ? hits
      : hits.map((hit, i) => ({ ...hit, opening: openings[i]!, speech: speech[i]! }));
    return [...wholeFirst(shaped, request.query)];
  }

  /** All words of a hit, or of the passage that it was judged by. */
  termsOf({ record, candidate }: Judged): TermCounts {
    return this.#words.termsOf(record, candidate.held);
  }

  async #ofThen(time: AskedTime | undefined, request: HybridQuery): Promise<readonly MemoryRecord[]> {
    if (time === undefined) return [];
    const { viewer, now, filter } = within(request);
    const createdSince = Math.max(time.from, filter.createdSince ?? 0);
    const createdBefore = Math.min(time.to, filter.createdBefore ?? time.to);
    const ofThen = { ...filter, createdSince, createdBefore };
    return this.#store.list({ viewer, now, filter: ofThen, limit: MAX_OF_THEN });
  }

  async #byWords(terms: readonly string[], request: Looking): Promise<MemoryRecord[]> {
    if (terms.length === 0) return [];
    const found = await request.reads.searchText({ ...within(request), terms, limit: request.candidates });
    return found.map((candidate) => candidate.record);
  }

  async #byMeaning(embedding: Embedding | undefined, request: Looking) {
    if (embedding === undefined) return [];
    return request.reads.vectors.search({ ...within(request), embedding, limit: request.candidates });
  }

  /** No index holds what records said before they changed, so these are compared one by one. */
  async #takeChanged(
    candidates: Candidates,
    embedding: Embedding | undefined,
    { viewer, filter, now }: HybridQuery,
  ): Promise<void> {
    const changed = await this.#store.changedSince({ viewer, filter, at: now, limit: MAX_CHANGED });
    const texts = changed.map(({ content }) => content);
    const similarities = embedding === undefined ? [] : await this.#embedder.compareAll(texts, embedding);
    changed.forEach((record, i) => {
      candidates.takePast(record).similarity = similarities[i] ?? null;
    });
  }

  /** What stands beside the best, and beside what stands there. */
  async #neighbours(
    candidates: Candidates,
    first: Weighed,
    request: Looking,
  ): Promise<ReadonlyMap<string, Neighbours>> {
    const ids = first
      .slice(0, SEEDS)
      .filter(({ candidate: { record } }) => record.thread !== null || speakerIn(record) !== undefined)
      .map(({ candidate }) => candidate.record.id);
    if (ids.length === 0) return new Map();
    const found = new Map(await request.reads.neighbours({ ...within(request), ids, reach: REACH }));
    const others: MemoryRecord[] = [];
    for (const [id, beside] of found) {
      const { record } = candidates.get(id)!;
      const neighbours = record.thread === null ? linesBeside(record, beside) : beside;
      found.set(id, neighbours);
      others.push(...neighbours.before, ...neighbours.after);
    }
    await candidates.take(others);
    return besideEach(found, candidates);
  }

  /** A second look with the words that the best hits share. */
  async #borrow(candidates: Candidates, first: Weighed, asked: Asked, request: Looking): Promise<Borrowed> {
    if (!this.#borrowsWords) return NOTHING;
    // What is only close in meaning has words that lead anywhere.
    const holders = first.filter(({ candidate }) => candidate.weight > 0);
    const lenders = distinctLenders(holders, ({ candidate: { record, held } }) =>
      this.#words.termsOf(record, held),
    ).map(({ hit, terms }) => ({ terms, score: hit.score }));
    const shares = borrowedTerms(lenders, asked.weights);
    if (shares.size === 0) return NOTHING;
    const { frequencies } = await request.reads.termStatistics([...shares.keys()], request.viewer);
    const expansion = expand(shares, frequencies, asked.population);
    const telling: Weights = new Map([...expansion, ...asked.weights]);
    const terms = [...expansion.keys()];
    await candidates.take(await this.#byWords(terms, request), telling);
    return {
      worth: Float64Array.from(expansion.values()),
      rows: await this.#rows(candidates.all(), terms, request),
    };
  }

  /** What the candidates hold of further words, those of long texts in the passages that were chosen for them. */
  async #rows(candidates: readonly Candidate[], terms: readonly string[], { words }: Looking) {
    return words.again(
      candidates.map(({ record }) => record),
      candidates.map(({ held }) => held),
      terms,
    );
  }

  /** Similarities of those that were found by their words only. */
  async #compare(
    candidates: readonly Candidate[],
    embedding: Embedding | undefined,
    { reads }: Looking,
  ): Promise<void> {
    if (embedding === undefined) return;
    const unknown = candidates.filter(({ similarity, past }) => similarity === null && !past);
    const similarities = await reads.vectors.similarities(
      unknown.map((candidate) => candidate.record.id),
      embedding,
    );
    for (const candidate of unknown) candidate.similarity = similarities.get(candidate.record.id) ?? null;
    // The vector of a long text is of all that it is about: the passage that answers is compared by itself.
    for (const candidate of candidates) {
      const passage = candidate.held.terms?.passage;
      if (passage === undefined || candidate.similarity === null) continue;
      const text = candidate.record.content.slice(passage.start, passage.end);
      candidate.similarity = Math.max(
        candidate.similarity,
        this.#embedder.compare(text, embedding, passage) ?? candidate.similarity,
      );
    }
  }

  get #calibration(): Calibration {
    return this.#embedder.model?.calibration ?? NO_CALIBRATION;
  }
}

const records = (hits: readonly Judged[]): MemoryRecord[] => hits.map(({ record }) => record);

function within({ viewer, filter, now, past }: HybridQuery) {
  return { viewer, now, filter: past ? { ...filter, heldAt: now } : filter };
}

/** A neighbour of a seed has the seed beside it, and those between. */
function besideEach(
  neighbours: ReadonlyMap<string, Neighbours>,
  candidates: Candidates,
): Map<string, Neighbours> {
  const beside = new Map<string, Neighbours>(neighbours);
  for (const [id, { before, after }] of neighbours) {
    const line = [...before.toReversed(), candidates.get(id)!.record, ...after];
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

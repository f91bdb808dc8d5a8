/** Reads long-term memory: search, standing memory, and both together for a task. */
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import type { KeepsakeError } from '../kernel/errors.ts';
import { type WithNotices, withNotices } from '../kernel/notices.ts';
import { type MemoryRecord, SOURCES, type Source } from '../kernel/record.ts';
import { validate } from '../kernel/validate.ts';
import type { RecordFilter, RecordStore } from '../ports/record-store.ts';
import type { Reranker } from '../ports/reranker.ts';
import type { Embedder } from './embedder.ts';
import { toFilter } from './filters.ts';
import {
  MAX_LIMIT,
  type RecallInput,
  recallInput,
  type SearchInput,
  type StandingInput,
  searchInput,
  standingInput,
} from './inputs.ts';
import type { LateInteraction } from './late-interaction.ts';
import {
  type Factors,
  laterFirst,
  type Ranked,
  type RankedFor,
  type RankingOptions,
  rank,
} from './ranker.ts';
import { answersAmong } from './search/answers.ts';
import { isAboutOneself } from './search/author.ts';
import { besideDocuments } from './search/beside-documents.ts';
import { partCopies } from './search/diversity.ts';
import { explainer, type Reranking } from './search/explain.ts';
import { HybridSearch } from './search/hybrid-search.ts';
import type { Judged } from './search/judgement.ts';
import { inLateOrder } from './search/late-order.ts';
import { isRemark } from './search/remark.ts';
import { atLeast, LEAST_RELEVANCE } from './search/silence.ts';
import { WordMeaning } from './search/word-meaning.ts';
import { alwaysHolds, inShares, orderStanding, STANDING_CATEGORIES, withinBudget } from './standing.ts';

export interface MemoryHit extends MemoryRecord {
  /** How well it answers the query, 0 to 1; comparable between queries and usable as a threshold. */
  readonly relevance: number;
  /** The product of relevance, recency and access; orders the hits of one query. */
  readonly score: number;
  readonly factors: Factors;
  /** Why it is here, in words. */
  readonly explain: string;
}

/** Hits, best first. */
export type FoundMemories = WithNotices<readonly MemoryHit[]> & {
  /** How many more share words or meaning with the question, but hardly answer it; `all: true` returns them too. */
  readonly more: number;
};

export interface StandingMemory {
  readonly memories: readonly MemoryRecord[];
  /** How many more there are, for which there was no room. */
  readonly leftOut: number;
}

export interface RecalledMemory {
  /** What holds whatever the task is: pinned memories, instructions, preferences. */
  readonly standing: readonly MemoryRecord[];
  /** What the task brings to mind, without what is standing already. */
  readonly relevant: readonly MemoryHit[];
  /** What made this recall weaker than usual; empty when nothing did. */
  readonly notices: readonly string[];
}

export interface RecallPolicy {
  readonly ranking: RankingOptions & { readonly candidateMultiplier: number };
}

export interface RecallParts {
  readonly store: RecordStore;
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly reranker?: Reranker | undefined;
  readonly lateInteraction?: LateInteraction | undefined;
  readonly policyFor: (agent: string | undefined) => RecallPolicy;
  /** False only where the worth of borrowed words is measured (`bench/recall`). */
  readonly borrowsWords?: boolean;
  /** Shown the hits of a first look, best first, where the decision about them is measured (`bench/precision`). */
  readonly onRanked?: (hits: readonly Ranked[]) => void;
}

/** What each way of searching brings at least in the first look; the two often disagree about the best. */
const LEAST_CANDIDATES = 40;
/** The first look is made for so many hits whatever `limit` is, so that the order never depends on it. */
const USUAL_LIMIT = 10;
/** Each further look is so many times as wide as the one before… */
const WIDER = 4;
/** …and not wider than this. */
const MOST_CANDIDATES = 1_000;
/** Far more than any budget holds: the best of them may be the oldest. */
const MAX_STANDING = 2_000;
const DOCUMENT: Source = 'knowledge';
const LEARNED = SOURCES.filter((source) => source !== DOCUMENT);

/** What follows in a longer question is not looked at: a task may come with whole files, and megabytes would hold up a server. */
const LONGEST_QUERY = 8_000;

export class Recall {
  readonly #parts: RecallParts;
  readonly #hybrid: HybridSearch;
  readonly #meaning: WordMeaning;

  constructor(parts: RecallParts) {
    this.#parts = parts;
    this.#meaning = new WordMeaning(parts.embedder);
    this.#hybrid = new HybridSearch(parts.store, parts.embedder, parts.borrowsWords);
  }

  /** `within`: what code of ours narrows it to, and no caller may say. */
  async search(
    input: SearchInput,
    caller: Caller,
    within: Partial<Pick<RecordFilter, 'threads'>> = {},
  ): Promise<FoundMemories> {
    const { query, limit, minRelevance, all, asOf, ...filters } = validate(
      searchInput,
      input,
      'memory.search',
    );
    const notices: string[] = [];
    const wanted = { query, limit, minRelevance: minRelevance ?? (all ? 0 : undefined), asOf };
    const filter = { ...toFilter(filters), ...within };
    const left = { count: 0, hasDocuments: false };
    const find = (sources: RecordFilter['sources']) =>
      this.#find(wanted, { ...filter, ...defined({ sources }) }, caller, notices, left);
    const found = await find(filter.sources);
    // Where no document came up, none pushed anything out: most stores have none.
    if (filter.sources !== undefined || !left.hasDocuments) return withMore(found, notices, left.count);
    left.count = 0;
    // Thousands of passages would fill every look: what was learned is looked for by itself.
    const [learned, passages] = [await find(LEARNED), await find([DOCUMENT])];
    return withMore(besideDocuments(learned, passages).slice(0, limit), notices, left.count);
  }

  async #find(
    { query: asked, limit, minRelevance, asOf }: Wanted,
    filter: RecordFilter,
    caller: Caller,
    notices: string[],
    left: { count: number; hasDocuments: boolean } = { count: 0, hasDocuments: false },
  ): Promise<MemoryHit[]> {
    const query = asked.length > LONGEST_QUERY ? asked.slice(0, LONGEST_QUERY).toWellFormed() : asked;
    const { ranking } = this.#parts.policyFor(caller.viewer.agent);
    const now = asOf ?? this.#parts.clock.now();
    const termsOf = (hit: Judged) => this.#hybrid.termsOf(hit);
    const isRelevant = atLeast(minRelevance ?? LEAST_RELEVANCE);
    // A cross-encoder knows better, and no vectors are of what a record said in the past.
    const late = this.#parts.reranker || asOf !== undefined ? undefined : this.#parts.lateInteraction;
    // Compared are the same ones whatever relevance is asked for, or the order would depend on it.
    const isCompared = late ? atLeast(Math.min(minRelevance ?? 1, LEAST_RELEVANCE)) : isRelevant;
    const rankedFor = { now, isRemark: isRemark(query), isAboutOneself: isAboutOneself(query) };
    const usual = Math.ceil(USUAL_LIMIT * ranking.candidateMultiplier);
    const found = new Map<string, Ranked>();
    let reranking: Reranking | undefined;
    /** Whether everything relevant is an answer, so that more may follow in a wider look. */
    let isWhole = true;
    for (let candidates = Math.max(LEAST_CANDIDATES, usual); ; candidates *= WIDER) {
      const judged = await this.#hybrid.judge({
        ...{ query, filter, now, candidates },
        viewer: caller.viewer,
        past: asOf !== undefined,
        onWordsOnly: (why) => note(notices, wordsOnly(why)),
      });
      left.hasDocuments ||= judged.some(({ record }) => record.source === DOCUMENT);
      const fresh = judged.filter((hit) => !found.has(hit.record.id));
      let ranked = rank(fresh.filter(found.size === 0 ? isCompared : isRelevant), rankedFor, ranking);
      if (found.size === 0) {
        const reranked = await this.#reranked(query, ranked, usual, rankedFor, ranking);
        const inOrder = await inLateOrder(late, query, reranked.ranked, (why) => note(notices, noLate(why)));
        ranked = laterFirst(inOrder.filter(isRelevant), termsOf, rankedFor, ranking);
        reranking = reranked.reranking;
        this.#parts.onRanked?.(ranked);
        // A cross-encoder may see what words and vectors do not.
        if (minRelevance === undefined && this.#parts.reranker === undefined) {
          const answers = answersAmong(
            ranked,
            { query, isRemark: rankedFor.isRemark },
            this.#meaning.in(query),
          );
          left.count += ranked.length - answers.length;
          isWhole = answers.length === ranked.length;
          ranked = answers;
        }
      }
      const { first, copies } = partCopies(ranked, termsOf, Math.max(limit, USUAL_LIMIT));
      const isWidest = candidates * WIDER > MOST_CANDIDATES;
      // Copies that fill the first look hide what is behind them.
      const isFilled = first.length < USUAL_LIMIT && copies.length >= candidates / 2;
      if (found.size === 0 && isFilled && !isWidest) continue;
      for (const hit of [...first, ...copies]) found.set(hit.record.id, hit);
      // What is behind the first look follows it, however good: else the order would depend on how many are wanted.
      if (found.size >= limit || isWidest || !isWhole || !hasMore(judged, candidates, isRelevant)) break;
    }
    if (reranking?.failure !== undefined)
      note(notices, `The reranker ${reranking.by} failed, so its order was not used: ${reranking.failure}`);
    const why = explainer(query, now, termsOf, reranking);
    return [...found.values()].slice(0, limit).map((hit) => ({
      ...ownCopy(hit.record),
      relevance: hit.relevance,
      score: hit.score,
      factors: hit.factors,
      explain: why(hit),
    }));
  }

  async standing(input: StandingInput, caller: Caller): Promise<StandingMemory> {
    const { limit, maxChars } = validate(standingInput, input, 'memory.standing');
    const now = this.#parts.clock.now();
    const { viewer } = caller;
    const list = (filter: object) => this.#parts.store.list({ viewer, now, filter, limit: MAX_STANDING });
    const [pinned, ordered] = await Promise.all([
      list({ pinned: true }),
      list({ categories: STANDING_CATEGORIES }),
    ]);
    const all = new Map([...pinned, ...ordered.filter(alwaysHolds)].map((record) => [record.id, record]));
    const chosen = orderStanding([...all.values()], now).slice(0, limit);
    const { fitting } = withinBudget(chosen, maxChars);
    return { memories: fitting, leftOut: all.size - fitting.length };
  }

  /** What an agent should know before it begins a task: standing memory first, then what the task calls for. */
  async recall(input: RecallInput, caller: Caller): Promise<RecalledMemory> {
    const {
      task,
      limit,
      maxChars,
      standing,
      threads: _,
      ...filters
    } = validate(recallInput, input, 'memory.recall');
    const all = standing ? (await this.standing({ limit, maxChars }, caller)).memories : [];
    const notices: string[] = [];
    const known = new Set(all.map((record) => record.id));
    const wanted = Math.min(MAX_LIMIT, limit + known.size);
    // Documents have a place of their own in a prompt; a few long passages would leave no room for what was learned.
    const isLearned = filters.source === undefined && (await this.#hasDocuments(caller));
    const filter = { ...toFilter(filters), ...(isLearned ? { sources: LEARNED } : {}) };
    const hits = await this.#find({ query: task, limit: wanted }, filter, caller, notices);
    const fresh = hits.filter((hit) => !known.has(hit.id)).slice(0, limit);
    const costOf = ({ content, pinned }: MemoryRecord) => ({ characters: content.length, pinned });
    const { fitting } = withinBudget(inShares<MemoryRecord>(all, fresh, maxChars, costOf), maxChars);
    const kept = new Set(fitting.map((record) => record.id));
    return {
      standing: all.filter((record) => kept.has(record.id)),
      relevant: fresh.filter((hit) => kept.has(hit.id)),
      notices,
    };
  }

  /** To look is cheap, and to search past what is not there is not: most agents have no documents. */
  async #hasDocuments({ viewer }: Caller): Promise<boolean> {
    const { store, clock } = this.#parts;
    const filter = { sources: [DOCUMENT] };
    return (await store.list({ viewer, now: clock.now(), filter, limit: 1 })).length > 0;
  }

  /** A cross-encoder, where there is one, has the last word on the relevance of the best. */
  async #reranked(
    query: string,
    ranked: Ranked[],
    most: number,
    rankedFor: RankedFor,
    ranking: RecallPolicy['ranking'],
  ): Promise<{ readonly ranked: Ranked[]; readonly reranking?: Reranking }> {
    const { reranker } = this.#parts;
    if (reranker === undefined || ranked.length === 0) return { ranked };
    const best = ranked.slice(0, most);
    try {
      const scores = await reranker.rerank(query, best.map(judgedText));
      const judged = best.map((hit, index) => ({
        ...hit,
        ...{ relevance: asRelevance(scores[index]), opening: 1, speech: 1 },
      }));
      return {
        ranked: [...rank(judged, rankedFor, ranking), ...ranked.slice(most)],
        reranking: { by: reranker.id },
      };
    } catch (error) {
      // Somebody else's model may be down; the order that it was to improve is a good one too.
      const failure = error instanceof Error ? error.message : String(error);
      return { ranked, reranking: { by: reranker.id, failure } };
    }
  }
}

interface Wanted {
  readonly query: string;
  readonly limit: number;
  readonly minRelevance?: number | undefined;
  readonly asOf?: number | undefined;
}

/** Whether a wider look may bring more: this one is full of records that hold words of the question, and all of them count. */
function hasMore(
  judged: readonly Judged[],
  candidates: number,
  isRelevant: (hit: Judged) => boolean,
): boolean {
  const holders = judged.filter(({ candidate }) => candidate.weight > 0);
  return holders.length >= candidates && holders.every(isRelevant);
}

/** Not enumerable, as notices are. */
function withMore(hits: readonly MemoryHit[], notices: readonly string[], more: number): FoundMemories {
  return Object.defineProperty(withNotices(hits, notices), 'more', {
    value: more,
    enumerable: false,
  }) as FoundMemories;
}

function wordsOnly({ message, hint }: KeepsakeError): string {
  return `Searched by words only, not by meaning. ${message}${hint === undefined ? '' : ` ${hint}`}`;
}

function noLate({ message, hint }: KeepsakeError): string {
  return `Ordered without late interaction. ${message}${hint === undefined ? '' : ` ${hint}`}`;
}

/** A search that looks twice has one problem, not two. */
function note(notices: string[], notice: string): void {
  if (!notices.includes(notice)) notices.push(notice);
}

/** What a hit was judged by: of a long text, the passage that answers best. */
function judgedText({ record, candidate }: Judged): string {
  const passage = candidate.held.terms?.passage;
  return record.content.slice(passage?.start, passage?.end);
}

/** A store may keep the records that it finds; what is given away may be changed by whoever gets it. */
function ownCopy(record: MemoryRecord): MemoryRecord {
  const { tags, metadata } = record;
  const isPlain = Object.keys(metadata).length === 0;
  return { ...record, tags: [...tags], metadata: isPlain ? {} : structuredClone(metadata) };
}

/** Rerankers are anybody's code, and some give logits: relevance stays between 0 and 1. */
function asRelevance(score: number | undefined): number {
  return score === undefined || Number.isNaN(score) ? 0 : Math.min(1, Math.max(0, score));
}

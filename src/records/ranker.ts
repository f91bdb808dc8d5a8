/** Computes `relevance`, how well a record fits (0 to 1), and `score`, which orders the hits. The two are never mixed. */
import { DAY, HOUR } from '../kernel/clock.ts';
import type { MemoryRecord, Source } from '../kernel/record.ts';
import { isOrder } from './orders.ts';
import { authorOf } from './search/author.ts';
import type { Judged } from './search/judgement.ts';
import { earlierDecays } from './search/later-remarks.ts';
import type { TermCounts } from './search/term-counts.ts';

export interface RankingOptions {
  /** `classic`: everything ages alike. `steady`: only what is bound to expire does; what was learned keeps most of its worth. */
  readonly profile: 'classic' | 'steady';
  readonly recencyHalfLifeDays: number;
  readonly accessBoostMax: number;
  readonly accessRecencyHours: number;
}

/** Every number that went into a hit's place. */
export interface Factors {
  /** How well it answers the query, 0 to 1: the fused evidence of words, meaning and context. */
  readonly relevance: number;
  /** Share of the query's telling words that it holds, 0 to 1. */
  readonly coverage: number;
  /** Cosine between query and memory; null without vectors. */
  readonly similarity: number | null;
  /** The same, calibrated for the model: 0 as between unrelated texts, 1 as between texts of one meaning. */
  readonly semantic: number;
  /** What its neighbours in the thread added, 0 to 1. */
  readonly context: number;
  readonly recencyDecay: number;
  readonly accessBoost: number;
  /** More than 1 for what somebody ordered or prefers. */
  readonly orderBoost: number;
  /** More than 1 for what the user said, when the question is about the user. */
  readonly authorBoost: number;
  /** More than 1 for a text whose first lines answer better than those of the other candidates, less than 1 for the others. */
  readonly openingBoost: number;
  /** More than 1 for lines of a conversation that are likely to tell something, less than 1 for the others. */
  readonly speechBoost: number;
  /** Less than 1 for what was said again later in nearly the same words, when a remark is made. */
  readonly earlierDecay: number;
  /** More than 1 for what matches the question token by token better than the other hits, less than 1 for the others. */
  readonly tokenBoost: number;
}

export interface Ranked extends Judged {
  /** The product of relevance and all factors below it; orders the hits of one query. */
  readonly score: number;
  readonly factors: Factors;
}

/** Halves with every half-life. A record from the future (another machine's clock) counts as new. */
export function recencyDecay(updatedAt: number, now: number, halfLifeDays: number): number {
  return 2 ** (-Math.max(0, now - updatedAt) / DAY / halfLifeDays);
}

/** Up to `max` for records opened often and lately: full within the window, then fading with the time since. */
export function accessBoost(
  record: Pick<MemoryRecord, 'accessCount' | 'lastAccessedAt'>,
  now: number,
  { accessBoostMax, accessRecencyHours }: RankingOptions,
): number {
  if (record.accessCount === 0 || record.lastAccessedAt === null) return 1;
  const hours = Math.max(0, now - record.lastAccessedAt) / HOUR;
  const recency = hours <= accessRecencyHours ? 1 : accessRecencyHours / hours;
  return 1 + Math.min(record.accessCount / 10, accessBoostMax - 1) * recency;
}

/** What tells of a moment loses its worth with it. */
const AGEING: readonly Source[] = ['task_completion', 'session_summary', 'file_index'];

/** What was learned is worth so much however old it is: enough to tell the newer of two alike, too little to hide an answer. */
const LASTING = 0.85;
/** Who makes a remark continues with what was said lately, so that age says more. */
const LASTING_FOR_REMARKS = 0.5;

export interface RankedFor {
  readonly now: number;
  /** Whether the query is a remark that continues with a conversation, and no question. */
  readonly isRemark: boolean;
  /** Whether it is about the one who asks. */
  readonly isAboutOneself: boolean;
}

function decay({ source, updatedAt }: MemoryRecord, query: RankedFor, options: RankingOptions): number {
  const full = recencyDecay(updatedAt, query.now, options.recencyHalfLifeDays);
  if (options.profile === 'classic' || AGEING.includes(source)) return full;
  const lasting = query.isRemark ? LASTING_FOR_REMARKS : LASTING;
  return lasting + (1 - lasting) * full;
}

/** An order ("Always answer in metric units") applies to tasks that share few of its words. */
const ORDER_BOOST = 1.75;

/** Records come up again and again, and a store hands out the same ones. */
const orders = new WeakMap<MemoryRecord, boolean>();

function readsLikeOrder(record: MemoryRecord): boolean {
  let known = orders.get(record);
  if (known === undefined) {
    known = isOrder(record);
    orders.set(record, known);
  }
  return known;
}

function orderBoost(record: MemoryRecord, { profile }: RankingOptions): number {
  return profile !== 'classic' && readsLikeOrder(record) ? ORDER_BOOST : 1;
}

/** Measured on messages of LongMemEval and BEAM (0026). */
const AUTHOR_BOOST = 1.5;

function authorBoost(record: MemoryRecord, query: RankedFor, { profile }: RankingOptions): number {
  return profile !== 'classic' && query.isAboutOneself && authorOf(record) === 'user' ? AUTHOR_BOOST : 1;
}

/** By score, best first; ties go to the newer, then to the greater id. */
export function inOrder(hits: readonly Ranked[]): Ranked[] {
  return hits.toSorted(
    (a, b) =>
      b.score - a.score || b.record.updatedAt - a.record.updatedAt || (a.record.id < b.record.id ? 1 : -1),
  );
}

/** For a remark: what was said again later in nearly the same words goes behind the later one. */
export function laterFirst(
  hits: readonly Ranked[],
  termsOf: (hit: Ranked) => TermCounts,
  query: RankedFor,
  { profile }: RankingOptions,
): Ranked[] {
  // Who names a time may want just what was said then.
  const asksForTime = hits[0]?.asked.time !== undefined;
  if (!query.isRemark || profile === 'classic' || asksForTime) return [...hits];
  const decays = earlierDecays(hits, termsOf);
  if (decays.every((decay) => decay === 1)) return [...hits];
  return inOrder(
    hits.map((hit, i) => ({
      ...hit,
      score: hit.score * decays[i]!,
      factors: { ...hit.factors, earlierDecay: decays[i]! },
    })),
  );
}

/** score = relevance × all factors; ties go to the newer, then to the greater id. */
export function rank(found: readonly Judged[], query: RankedFor, options: RankingOptions): Ranked[] {
  const isSteady = options.profile !== 'classic';
  return inOrder(
    found.map((judged) => {
      const { record, relevance, coverage, similarity, semantic, context } = judged;
      const factors: Factors = {
        relevance,
        coverage,
        similarity,
        semantic,
        context,
        recencyDecay: decay(record, query, options),
        accessBoost: accessBoost(record, query.now, options),
        orderBoost: orderBoost(record, options),
        authorBoost: authorBoost(record, query, options),
        openingBoost: isSteady ? judged.opening : 1,
        speechBoost: isSteady && !query.isRemark ? judged.speech : 1,
        earlierDecay: 1,
        tokenBoost: 1,
      };
      const { recencyDecay: age, accessBoost: use, orderBoost: order, authorBoost: author } = factors;
      const score = relevance * age * use * order * author * factors.openingBoost * factors.speechBoost;
      return { ...judged, score, factors };
    }),
  );
}

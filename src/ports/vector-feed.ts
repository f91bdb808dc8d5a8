/** Port: what an external vector index needs to follow the engine, which keeps the authoritative data. */
import type { MemoryRecord } from '../kernel/record.ts';
import type { Embedding, VectorCandidate, VectorQuery } from './record-store.ts';
import type { WordFeed } from './word-feed.ts';

/**
 * One state of one record. Its number is used once and forever: whatever is stored outside under that number is either
 * this state or nothing, so that copies which arrive late or twice do no harm.
 */
export interface VectorChange {
  readonly change: number;
  readonly id: string;
  /** No state of this record had a number before. */
  readonly isFirst: boolean;
  /** Undefined: the record has no vector now, and must be found no more. */
  readonly vector: (Embedding & { readonly record: MemoryRecord }) | undefined;
}

/** A record whose newest state is not outside yet; `carried` is the number of the one that is, 0 for none. */
export interface WaitingChange {
  readonly id: string;
  readonly carried: number;
}

/** How far the engine has come, and what of it is not outside yet. */
export interface FeedPosition {
  /** Random; another one after a restore, because numbers may then mean something else. */
  readonly identity: string;
  /** The highest number so far. */
  readonly last: number;
  /** Oldest first, no more than were asked for. */
  readonly waiting: readonly WaitingChange[];
}

export interface FeedModel {
  readonly id: string;
  readonly dimensions: number;
  /** How many records have a vector of this model. */
  readonly vectors: number;
}

/** What should be outside: the newest state of a record. */
export interface ExpectedState {
  readonly change: number;
  readonly id: string;
  readonly version: number;
  readonly isCarried: boolean;
}

export interface VectorFeed {
  /** For an index that finds words as well; an engine without it is quicker at that than any server. */
  readonly words?: WordFeed;
  /** From now on every change is noted in the transaction that makes it, whoever makes it. The first time, all are. */
  attach(): Promise<{ readonly identity: string }>;
  /** Undefined while nobody is attached. Refuses an embedding whose model has other dimensions. */
  position(limit: number, embedding?: Embedding): Promise<FeedPosition | undefined>;
  /** The next states to carry out, oldest first. */
  waiting(limit: number): Promise<readonly VectorChange[]>;
  backlog(): Promise<number>;
  /** These are outside. A record that has changed since continues waiting; after a restore, all do. */
  confirm(identity: string, changes: readonly number[]): Promise<void>;
  models(): Promise<readonly FeedModel[]>;
  /** In the order of their numbers. */
  expected(model: string, after: number, limit: number): Promise<readonly ExpectedState[]>;
  /** Carries these out again; without numbers, all of the model. */
  recarry(model: string, changes?: readonly number[]): Promise<void>;
  /** The nearest of the given records, and of all that changed after a number, as they are now. */
  nearestAmong(
    query: VectorQuery,
    ids: readonly string[],
    since: number,
  ): Promise<readonly VectorCandidate[]>;
}

/** How an index outside is doing. */
export interface IndexStatus {
  readonly name: string;
  readonly isUp: boolean;
  /** Changes that it has not confirmed yet. */
  readonly backlog: number;
  /** Why it is down. */
  readonly problem?: string;
}

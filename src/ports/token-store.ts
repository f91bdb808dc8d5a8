/** Port: vectors of the tokens of records. Like other vectors they are derived, and can be made again from the records. */
import type { TextInPlace, TokenSpace, TokenVectors } from './token-model.ts';

/** A record that waits for its token vectors, with its neighbours of the same owner, scope and thread. */
export interface UnreadText extends TextInPlace {
  readonly id: string;
  /** Names the state of the record and its neighbours; what has changed since is not saved. */
  readonly basis: string;
}

export interface TokenDraft {
  readonly id: string;
  readonly basis: string;
  readonly vectors: TokenVectors;
}

export interface TokenBacklog {
  /** The space of the vectors that are stored; null while nobody has used one here. */
  readonly space: string | null;
  /** Records that have their token vectors. */
  readonly encoded: number;
  /** Records that wait: new ones, and those whose neighbours changed. */
  readonly waiting: number;
}

export interface TokenStore {
  /** From now on every record gets vectors of this space, or waits for them. Those of another one are dropped. */
  use(space: TokenSpace): Promise<void>;
  /** The next records to encode, oldest first. Empty when another space is in use. */
  waiting(space: TokenSpace, limit: number): Promise<readonly UnreadText[]>;
  /** Skips records that changed or were forgotten meanwhile; they go on waiting. Says how many were saved. */
  save(space: TokenSpace, drafts: readonly TokenDraft[]): Promise<number>;
  /**
   * How well each of these records matches a question: the best of its passages, by the mean over the tokens of the question of
   * the highest cosine. Without those that have no vectors of this space.
   */
  matches(
    ids: readonly string[],
    space: TokenSpace,
    question: TokenVectors,
  ): Promise<ReadonlyMap<string, number>>;
  /** Whether any record waits: costs the same however many have their vectors. */
  hasWaiting(): Promise<boolean>;
  /** Counts all of them. */
  backlog(): Promise<TokenBacklog>;
  /** Drops all of them; nobody waits any more. */
  drop(): Promise<void>;
}

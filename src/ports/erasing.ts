/** Port: removes and counts the remaining data of an agent or user after their memories and messages were erased. */

/** Either of the two: all that an agent has, or all that is about a user, with whichever agent. */
export type Erased =
  | { readonly agent: string; readonly user?: undefined }
  | { readonly user: string; readonly agent?: undefined };

/** Counts by layer. */
export interface Traces {
  /** Memories in any state. Forgotten ones keep an id without content, and no owner once they were swept. */
  readonly records: number;
  readonly messages: number;
  readonly events: number;
  readonly quarantined: number;
  /** Rows that name the subject besides: counters, boundaries of threads, idempotency keys. */
  readonly marks: number;
}

export interface SweptThread {
  readonly agent: string;
  readonly thread: string;
  /** Keys of the journal that are about it. */
  readonly journals: readonly string[];
}

export interface Erasing {
  /** All in one transaction. Memories that are not forgotten yet, and messages, stay. Answers what it removed. */
  sweep(whose: Erased, threads: readonly SweptThread[]): Promise<Traces>;
  count(whose: Erased): Promise<Traces>;
  /** Where the engine itself still keeps old text after the last sweep, in words for a person. */
  remains(): readonly string[];
  /** Every user id that anything is stored about and that begins with the prefix, in order. */
  users(query: {
    readonly prefix: string;
    readonly after?: string;
    readonly limit: number;
  }): Promise<readonly string[]>;
}

/** Port: the quarantine of refused writes. */
import type { EventDraft, KeepsakeEvent, Via } from '../kernel/events.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Origin } from '../kernel/record.ts';
import type { Erasure } from './record-store.ts';

/** The verbs whose writes are judged. */
export type GuardedVerb =
  | 'memory.add'
  | 'memory.update'
  | 'sections.save'
  | 'sections.append'
  | 'state.set'
  | 'state.merge'
  | 'state.patch'
  | 'state.append';

/** A write as it would have been made. */
export interface RefusedWrite {
  readonly id: string;
  readonly at: number;
  readonly agent: string;
  /** The user that it was about. */
  readonly user: string | null;
  readonly via: Via;
  readonly session: string | null;
  readonly verb: GuardedVerb;
  /** The input of the verb, to do it again. */
  readonly input: JsonObject;
  readonly content: string;
  readonly category: string;
  readonly origin: Origin;
  readonly reasons: readonly string[];
}

export interface QuarantineEntry extends Omit<RefusedWrite, 'input' | 'content'> {
  readonly state: 'waiting' | 'released';
  /** Null once it was released: from then on its memory has them. */
  readonly input: JsonObject | null;
  readonly content: string | null;
  /** How often the same write was tried, and when last. */
  readonly times: number;
  readonly lastAt: number;
  readonly releasedAt: number | null;
  readonly releasedBy: string | null;
  /** Id of the memory or name of the section that came of it. */
  readonly releasedAs: string | null;
}

/** What is oldest goes when there is too much. */
export interface QuarantineLimits {
  readonly entries: number;
  readonly characters: number;
}

export interface QuarantineQuery {
  readonly agent?: string;
  readonly states: readonly QuarantineEntry['state'][];
  readonly limit: number;
  /** Id of the last entry of the page before. */
  readonly after?: string;
}

export type BlockedDraft = Extract<EventDraft, { type: 'memory.blocked' }>;

export interface QuarantineStore {
  /** The same write again only counts; the answer has the id under which it is kept. The event is stored with it. */
  put(
    write: RefusedWrite,
    event: BlockedDraft,
    limits: QuarantineLimits,
  ): Promise<{ readonly id: string; readonly events: readonly KeepsakeEvent[] }>;
  get(id: string): Promise<QuarantineEntry | null>;
  /** Newest first. */
  list(query: QuarantineQuery): Promise<readonly QuarantineEntry[]>;
  /** Marks it and drops its text; false when there is nothing to release. */
  release(
    id: string,
    mark: { readonly at: number; readonly by: string; readonly as: string },
  ): Promise<boolean>;
  /** Entries of another store as they are, oldest first; one that is here under its id becomes what it is there. */
  mirror(entries: readonly QuarantineEntry[]): Promise<void>;
  /** Erases it permanently; null when there is none. */
  remove(id: string): Promise<Pick<Erasure, 'journalErased' | 'pagesErased'> | null>;
}

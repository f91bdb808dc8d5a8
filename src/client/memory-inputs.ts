/**
 * What the methods of `agent.memory` take, written out so that an editor can explain each field. The schemas of the
 * operations decide; a test compares their words with these.
 */
import type {
  AddInput,
  ListInput,
  PruneInput,
  RecallInput,
  SearchInput,
  StandingInput,
  UndoInput,
  UpdateInput,
} from '../records/index.ts';

/** A memory to be. */
export interface NewMemory {
  /** The text to remember. */
  readonly content: AddInput['content'];
  /** fact, preference, instruction, relationship, skill_observation, or any other word. Default `fact`. */
  readonly category?: AddInput['category'];
  /** How sure it is, from 0 to 1. Default 1. */
  readonly confidence?: AddInput['confidence'];
  /** agent: private to its owner; swarm: seen by all agents. Default `agent`. */
  readonly scope?: AddInput['scope'];
  /** Where it came from; decides how long it lives. Default `manual`. */
  readonly source?: AddInput['source'];
  /** Words to filter by. */
  readonly tags?: AddInput['tags'];
  /** Any JSON object, kept as it is. */
  readonly metadata?: AddInput['metadata'];
  /** Who wrote the text in the first place. Default `user`. */
  readonly origin?: AddInput['origin'];
  /** Never pruned, and always part of standing memory. */
  readonly pinned?: AddInput['pinned'];
  /** What it was said in or cut from; its neighbours lend it context. */
  readonly thread?: AddInput['thread'];
  /** Since when it holds; default: now. */
  readonly validFrom?: AddInput['validFrom'];
  /** Id of a memory that no longer holds now that this one does. */
  readonly supersedes?: AddInput['supersedes'];
  /** When it expires; null for never. Default: by source. */
  readonly expiresAt?: AddInput['expiresAt'];
  /** A repeated add with the same key adds nothing. */
  readonly idempotencyKey?: AddInput['idempotencyKey'];
}

/** Which memories are meant. */
export interface MemoryFilter {
  /** Only this category. */
  readonly category?: SearchInput['category'];
  /** Only these categories; with category, that one too. */
  readonly categories?: SearchInput['categories'];
  /** Only what came from there. */
  readonly source?: SearchInput['source'];
  /** Only this scope. */
  readonly scope?: SearchInput['scope'];
  /** Only memories with all of these tags. */
  readonly tags?: SearchInput['tags'];
  /** Only memories at least this sure, from 0 to 1. */
  readonly minConfidence?: SearchInput['minConfidence'];
  /** Only memories created at or after this time. */
  readonly since?: SearchInput['since'];
  /** Only memories created before this time. */
  readonly before?: SearchInput['before'];
  /** Only memories that are never pruned. */
  readonly pinned?: SearchInput['pinned'];
  /** Only memories of this thread. */
  readonly thread?: SearchInput['thread'];
}

/** How to search. */
export interface SearchOptions extends MemoryFilter {
  /** How many to return at most. Default 10. */
  readonly limit?: SearchInput['limit'];
  /** Leave out hits below this relevance, 0 to 1. Without it: below 0.1, and all if the best could be chance. */
  readonly minRelevance?: SearchInput['minRelevance'];
  /** Search what held at this time instead of what holds now. */
  readonly asOf?: SearchInput['asOf'];
}

/** How to recall. A filter chooses among what the task calls for; standing memory is always there. */
export interface RecallOptions extends MemoryFilter {
  /** How many to return at most. Default 10. */
  readonly limit?: RecallInput['limit'];
  /** How many characters all of it may have together. Default 2000. */
  readonly maxChars?: RecallInput['maxChars'];
}

/** How much of standing memory to read. */
export interface StandingOptions {
  /** How many to return at most. Default 50. */
  readonly limit?: StandingInput['limit'];
  /** How many characters all of it may have together. Default 2000. */
  readonly maxChars?: StandingInput['maxChars'];
}

/** Which memories to list. */
export interface ListOptions extends MemoryFilter {
  /** How many to return at most. Default 50. */
  readonly limit?: ListInput['limit'];
  /** Id of the last memory of the page before. */
  readonly after?: ListInput['after'];
  /** Which part of their life they are in. Default `live`. */
  readonly state?: ListInput['state'];
}

/** What to change; all else stays. */
export interface MemoryChanges {
  /** The text to remember. */
  readonly content?: UpdateInput['content'];
  /** fact, preference, instruction, relationship, skill_observation, or any other word. */
  readonly category?: UpdateInput['category'];
  /** How sure it is, from 0 to 1. */
  readonly confidence?: UpdateInput['confidence'];
  /** agent: private to its owner; swarm: seen by all agents. */
  readonly scope?: UpdateInput['scope'];
  /** Words to filter by. */
  readonly tags?: UpdateInput['tags'];
  /** Any JSON object, kept as it is. */
  readonly metadata?: UpdateInput['metadata'];
  /** Never pruned. */
  readonly pinned?: UpdateInput['pinned'];
  /** When it expires; null for never. */
  readonly expiresAt?: UpdateInput['expiresAt'];
  /** Change it only if it is still at this version. */
  readonly ifVersion?: UpdateInput['ifVersion'];
}

/** How far to go back. */
export interface UndoOptions {
  /** The version to go back to; the one before the last change if not given. */
  readonly version?: UndoInput['version'];
  /** Change it only if it is still at this version. */
  readonly ifVersion?: UndoInput['ifVersion'];
}

/** What to erase. */
export interface PruneOptions {
  /** Erase nothing; only say what would be erased. */
  readonly dryRun?: PruneInput['dryRun'];
  /** Only what came from there. */
  readonly source?: PruneInput['source'];
  /** Only what expired before this time. */
  readonly before?: PruneInput['before'];
}

/** A lesson that a lead passes on. */
export interface NewLesson {
  /** What was learned, as a full sentence. */
  readonly learning: string;
  /** Default `best-practice`. */
  readonly category?: 'mistake-pattern' | 'best-practice' | 'codebase-knowledge' | 'preference';
  /** Only for the agent of this name; without it, for all. */
  readonly worker?: string;
}

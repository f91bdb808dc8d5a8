/** The record, the unit of long-term memory, with four independent fields: source, category, scope, confidence. */
import { DAY } from './clock.ts';
import type { JsonObject } from './json.ts';
import type { Scope } from './scope.ts';

/** Where a record came from. The source decides how long it lives; nothing else about it. */
export const SOURCES = [
  'manual',
  'extracted',
  'task_completion',
  'session_summary',
  'file_index',
  'knowledge',
  'swarm_result',
] as const;
export type Source = (typeof SOURCES)[number];

/** Sources that count against `memory.maxEntries`: what a person or the extractor said is worth knowing. */
export const FACT_SOURCES: readonly Source[] = ['manual', 'extracted'];

/**
 * Whether a record takes a place of the cap. What somebody shared with the swarm by hand does not: lessons of a lead must
 * not disappear because its own facts have become many. What is about a user always counts, with that user.
 */
export function isCapped({ source, scope, user }: Pick<MemoryRecord, 'source' | 'scope' | 'user'>): boolean {
  return FACT_SOURCES.includes(source) && !(source === 'manual' && scope === 'swarm' && user === null);
}

/** Lifetimes in milliseconds; null never expires. Each can be changed in `keepsake.jsonc`. */
export const DEFAULT_TTL: Readonly<Record<Source, number | null>> = {
  manual: null,
  extracted: null,
  task_completion: 7 * DAY,
  session_summary: 3 * DAY,
  file_index: 30 * DAY,
  knowledge: null,
  swarm_result: null,
};

/** Suggestions only: a category is any string. */
export const SUGGESTED_CATEGORIES = [
  'fact',
  'preference',
  'instruction',
  'relationship',
  'skill_observation',
] as const;

/** Who wrote the text in the first place. Untrusted origins can never instruct. */
export const ORIGINS = ['user', 'agent', 'tool', 'web', 'import'] as const;
export type Origin = (typeof ORIGINS)[number];

export type RecordState = 'live' | 'expired' | 'forgotten';
export type ExpiryReason = 'ttl' | 'maxEntries' | 'manual' | 'superseded';
export type Change = 'added' | 'updated' | 'expired' | 'undone';

export interface MemoryRecord {
  readonly id: string;
  /** The agent whose silo holds the record; empty for what was stored about a user without an agent. */
  readonly agent: string;
  /** The user that it is about; null for nobody in particular. */
  readonly user: string | null;
  readonly scope: Scope;
  readonly source: Source;
  readonly category: string;
  readonly confidence: number;
  readonly content: string;
  readonly tags: readonly string[];
  readonly metadata: JsonObject;
  readonly origin: Origin;
  readonly pinned: boolean;
  /** What it was said in or cut from (a conversation, a document): records of one thread lend each other context. */
  readonly thread: string | null;
  readonly state: RecordState;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Since when it holds, if that is not when it was stored. */
  readonly validFrom: number | null;
  readonly expiresAt: number | null;
  readonly expiryReason: ExpiryReason | null;
  /** The record that this one took the place of, and the one that took its own. */
  readonly supersedes: string | null;
  readonly supersededBy: string | null;
  readonly forgottenAt: number | null;
  readonly version: number;
  readonly accessCount: number;
  readonly lastAccessedAt: number | null;
  /** How often the record was put into a prompt; kept apart from accesses on request. */
  readonly injectedCount: number;
}

/** One entry of a record's history; the last entry is the record as it is now. */
export interface RecordVersion {
  readonly id: string;
  readonly version: number;
  readonly change: Change;
  readonly changedAt: number;
  readonly changedBy: string;
  readonly content: string;
  readonly category: string;
  readonly confidence: number;
  readonly scope: Scope;
  readonly tags: readonly string[];
  readonly metadata: JsonObject;
  readonly pinned: boolean;
  readonly expiresAt: number | null;
}

export interface Lifespan {
  readonly expiresAt: number | null;
  readonly forgottenAt: number | null;
}

/** `live → expired → forgotten`. A record expires at its instant, not after it. */
export function stateAt(now: number, life: Lifespan): RecordState {
  if (life.forgottenAt !== null) return 'forgotten';
  return life.expiresAt !== null && life.expiresAt <= now ? 'expired' : 'live';
}

/** Port: where records live. Each verb is atomic over all processes and resolves only once it is on disk. */
import type { KeepsakeEvent, Via } from '../kernel/events.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { MemoryRecord, Origin, RecordState, RecordVersion, Source } from '../kernel/record.ts';
import type { Scope, Viewer } from '../kernel/scope.ts';

/** Who writes, when, and through which surface. */
export interface WriteContext {
  readonly at: number;
  readonly viewer: Viewer;
  readonly via: Via;
  readonly session?: string;
}

export interface RecordDraft {
  readonly id: string;
  readonly agent: string;
  readonly scope: Scope;
  readonly source: Source;
  readonly category: string;
  readonly confidence: number;
  readonly content: string;
  readonly tags: readonly string[];
  readonly metadata: JsonObject;
  readonly origin: Origin;
  readonly pinned: boolean;
  readonly expiresAt: number | null;
}

export interface AddOptions {
  /** A second add with the same key returns the first one's record; with other content it is a CONFLICT. */
  readonly idempotencyKey?: string;
  /** Cap on the live facts of the silo; the weakest are pruned in the same transaction. */
  readonly maxFacts: number;
}

export interface AddResult {
  /** `duplicate`: the same live text was there already, or the key was used before. */
  readonly outcome: 'added' | 'duplicate';
  readonly record: MemoryRecord;
  /** Ids of records that left search because of the cap. */
  readonly pruned: readonly string[];
  readonly events: readonly KeepsakeEvent[];
}

export interface RecordPatch {
  readonly content?: string;
  readonly category?: string;
  readonly confidence?: number;
  readonly scope?: Scope;
  readonly tags?: readonly string[];
  readonly metadata?: JsonObject;
  readonly pinned?: boolean;
  readonly expiresAt?: number | null;
}

export interface UpdateOptions {
  /** Fails with CONFLICT unless the record is still at this version. */
  readonly ifVersion?: number;
  readonly maxFacts: number;
}

export interface UpdateResult {
  readonly outcome: 'updated' | 'unchanged';
  readonly record: MemoryRecord;
  readonly pruned: readonly string[];
  readonly events: readonly KeepsakeEvent[];
}

/** What a forget erased, so that the caller can be told. */
export interface Erasure {
  readonly id: string;
  readonly characters: number;
  readonly versions: number;
  readonly indexEntries: number;
  /** False when another process was reading, so that the write-ahead log still holds old pages for a moment. */
  readonly journalErased: boolean;
  /** False when the store was too large or too busy to be rewritten, so that unused parts of pages may hold old text. */
  readonly pagesErased: boolean;
  readonly events: readonly KeepsakeEvent[];
}

export interface RecordFilter {
  readonly categories?: readonly string[];
  readonly sources?: readonly Source[];
  readonly scopes?: readonly Scope[];
  /** Every tag must be there. */
  readonly tags?: readonly string[];
  /** Records of one silo only; the viewer's rights still apply. */
  readonly agent?: string;
  readonly minConfidence?: number;
  readonly createdSince?: number;
  readonly createdBefore?: number;
  readonly pinned?: boolean;
}

export interface ListQuery {
  readonly viewer: Viewer;
  readonly now: number;
  readonly filter: RecordFilter;
  /** Default: live records only. */
  readonly states?: readonly RecordState[];
  readonly limit: number;
  /** Id of the last record of the page before; newest come first. */
  readonly after?: string;
}

export interface TextQuery {
  readonly viewer: Viewer;
  readonly now: number;
  readonly filter: RecordFilter;
  /** Terms as `analyze` makes them; any of them may match. */
  readonly terms: readonly string[];
  readonly limit: number;
}

export interface TextCandidate {
  readonly record: MemoryRecord;
  /** The engine's own text score: good for choosing candidates, not comparable between queries. */
  readonly textScore: number;
}

/** The evidence that a ranker needs; the judgement is not the store's. */
export interface TextResult {
  /** Best first. Everything that the viewer may not see, and everything not live, was left out before ranking. */
  readonly candidates: readonly TextCandidate[];
  /** How many records hold each term. */
  readonly frequencies: ReadonlyMap<string, number>;
  /** How many records there are to compare that with. */
  readonly population: number;
}

export interface AgentSummary {
  readonly name: string;
  readonly createdAt: number;
  readonly facts: number;
}

export interface RecordStore {
  add(draft: RecordDraft, options: AddOptions, context: WriteContext): Promise<AddResult>;
  update(
    id: string,
    patch: RecordPatch,
    options: UpdateOptions,
    context: WriteContext,
  ): Promise<UpdateResult>;
  /** Puts back an earlier version as a new one. */
  revert(
    id: string,
    version: number | undefined,
    options: UpdateOptions,
    context: WriteContext,
  ): Promise<UpdateResult>;
  forget(id: string, context: WriteContext): Promise<Erasure>;
  /** Null when it does not exist or the viewer may not see it: the two must look alike. */
  get(id: string, viewer: Viewer, now: number): Promise<MemoryRecord | null>;
  list(query: ListQuery): Promise<readonly MemoryRecord[]>;
  history(id: string, viewer: Viewer): Promise<readonly RecordVersion[]>;
  searchText(query: TextQuery): Promise<TextResult>;
  countAccess(ids: readonly string[], kind: 'access' | 'injection', at: number): Promise<void>;
  agents(): Promise<readonly AgentSummary[]>;
}

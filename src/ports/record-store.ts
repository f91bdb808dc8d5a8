/** Port: where records live. Each verb is atomic over all processes and resolves only once it is on disk. */
import type { KeepsakeEvent, Via } from '../kernel/events.ts';
import type { JsonObject } from '../kernel/json.ts';
import type {
  Change,
  ExpiryReason,
  MemoryRecord,
  Origin,
  RecordState,
  RecordVersion,
  Source,
} from '../kernel/record.ts';
import type { Scope, Viewer } from '../kernel/scope.ts';
import type { StagedVectors } from './staged-vectors.ts';

/** Who writes, when, and through which surface. */
export interface WriteContext {
  readonly at: number;
  readonly viewer: Viewer;
  readonly via: Via;
  readonly session?: string;
  /** On whose word it is changed. Default: for an add, the origin of its text; otherwise the user's. */
  readonly origin?: Origin;
}

/** A record as a store keeps it, without what depends on the time of reading. */
export interface StoredRecord extends Omit<MemoryRecord, 'state' | 'expiryReason'> {
  /** Null for a live record, and for one that expired by itself. */
  readonly expiryReason: ExpiryReason | null;
  /** Whether it takes one of the places that the cap on facts allows. */
  readonly counted: boolean;
  /** What made the present version, and who. */
  readonly change: Change;
  readonly changedBy: string;
}

export interface RecordDraft {
  readonly id: string;
  readonly agent: string;
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
  readonly thread: string | null;
  readonly validFrom: number | null;
  readonly expiresAt: number | null;
  /** The vector of `content`, from models that make it at once; without it the record waits for one. */
  readonly embedding?: Embedding;
}

export interface AddOptions {
  /** A second add with the same key returns the first one's record; with other content it is a CONFLICT. */
  readonly idempotencyKey?: string;
  /** Cap on the live facts of the agent, or of the agent and the user; the weakest are pruned in the same transaction. */
  readonly maxFacts: number;
  /** Id of a record that stops being valid when the new one takes effect. */
  readonly supersedes?: string;
  /** Fails with CONFLICT unless the record that is to be superseded is still at this version. */
  readonly ifVersion?: number;
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
  readonly embedding?: Embedding;
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
  /** Where the engine keeps old text that it cannot erase at once, in words for a person. */
  readonly remains?: readonly string[];
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
  /** Records about one user only; null: about nobody in particular. The viewer's rights still apply. */
  readonly user?: string | null;
  readonly minConfidence?: number;
  readonly createdSince?: number;
  readonly createdBefore?: number;
  readonly pinned?: boolean;
  readonly thread?: string;
  /** Records of any of these threads. */
  readonly threads?: readonly string[];
  /** Records that hold at this time, and have not changed since. */
  readonly heldAt?: number;
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
  /** May be kept by the store and given to others too: whoever passes it on makes a copy. */
  readonly record: MemoryRecord;
  /** The engine's own text score: good for choosing candidates, not comparable between queries. */
  readonly textScore: number;
}

/** The evidence that a ranker needs; the judgement is not the store's. */
export interface TermStatistics {
  /** How many of the records that the viewer may see hold each term. */
  readonly frequencies: ReadonlyMap<string, number>;
  /** How many records the viewer may see, expired ones included. */
  readonly population: number;
}

/** How often terms stand in records: a row for each record, a column for each term. */
export interface TermTable {
  /** How many words the text of each record has, repeats included; less than 0 where the store cannot tell. */
  readonly lengths: Int32Array;
  /** Row after row. `ONLY_IN_LABELS` for a term that only the category or a tag of a record holds. */
  readonly counts: Uint16Array;
}

/** A vector and the space it lives in. */
export interface Embedding {
  /** `EmbeddingModel.id`. */
  readonly model: string;
  readonly vector: Float32Array;
}

export interface VectorQuery {
  readonly viewer: Viewer;
  readonly now: number;
  readonly filter: RecordFilter;
  readonly embedding: Embedding;
  readonly limit: number;
}

export interface VectorCandidate {
  readonly record: MemoryRecord;
  /** Cosine with the query, -1 to 1. */
  readonly similarity: number;
}

/** A record that waits for its vector. */
export interface Unembedded {
  readonly id: string;
  readonly version: number;
  readonly text: string;
}

export interface VectorDraft {
  readonly id: string;
  /** Of the text that was embedded; a record that changed since is left waiting. */
  readonly version: number;
  readonly vector: Float32Array;
}

export interface EmbeddingBacklog {
  /** Records that have a vector of this model. */
  readonly embedded: number;
  /** Records that wait for one. */
  readonly waiting: number;
  /** Vectors of other models, which no search uses. */
  readonly foreign: number;
}

/** What stood beside a record in its thread, or was stored beside it without one, nearest first. */
export interface Neighbours {
  readonly before: readonly MemoryRecord[];
  readonly after: readonly MemoryRecord[];
}

export interface NeighbourQuery {
  readonly viewer: Viewer;
  readonly now: number;
  readonly filter: RecordFilter;
  readonly ids: readonly string[];
  /** How far to look, each way. */
  readonly reach: number;
}

export interface AsOfQuery {
  readonly viewer: Viewer;
  readonly filter: RecordFilter;
  readonly at: number;
  readonly limit: number;
}

export interface AgentSummary {
  readonly name: string;
  readonly createdAt: number;
  readonly facts: number;
}

/** Vectors of records. They are derived: all of them can be thrown away and made again from the records. */
export interface VectorStore {
  /** For going over to another model; a store without it makes the vectors of another model one by one. */
  readonly aside?: StagedVectors | undefined;
  /** The exact nearest records, best first; ties by the newer. What the viewer may not see is left out before ranking. */
  search(query: VectorQuery): Promise<readonly VectorCandidate[]>;
  /** Similarities of given records (those that have a vector of this model), for candidates found in another way. */
  similarities(ids: readonly string[], embedding: Embedding): Promise<ReadonlyMap<string, number>>;
  /** The next live records without a vector of this model, oldest first, after the given id. */
  waiting(model: string, limit: number, after?: string): Promise<readonly Unembedded[]>;
  /** Replaces vectors; skips records that changed or were forgotten meanwhile. Says how many were saved. */
  save(model: string, drafts: readonly VectorDraft[]): Promise<number>;
  backlog(model: string): Promise<EmbeddingBacklog>;
}

/** What one search reads of a store. */
export type SearchReads = Pick<RecordStore, 'termStatistics' | 'termTable' | 'searchText' | 'neighbours'> & {
  readonly vectors: Pick<VectorStore, 'search' | 'similarities'>;
};

/** A part of what somebody may see. Parts have no record in common; others may see the same part. */
export interface ScopePart {
  /** The same for whoever sees this part. */
  readonly name: string;
  readonly records: readonly MemoryRecord[];
}

export interface RecordStore {
  readonly vectors: VectorStore;
  /**
   * For a search that reads several times: all that was committed before the call is known to these, and they need not ask the
   * engine again. Undefined when just now the store itself has to be asked, each time.
   */
  forSearch?(): Promise<SearchReads | undefined>;
  /**
   * All that somebody may see, expired records included, if it is little; else undefined. It costs what they may see and not what
   * others store. Also undefined where `forSearch` is at least as fast. Nobody may change the lists.
   */
  scopeOf?(viewer: Viewer): Promise<readonly ScopePart[] | undefined>;
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
  /** All of them or none; costs one cleaning of the store instead of one for each. */
  forgetMany(ids: readonly string[], context: WriteContext): Promise<readonly Erasure[]>;
  /** Null when it does not exist or the viewer may not see it: the two must look alike. */
  get(id: string, viewer: Viewer, now: number): Promise<MemoryRecord | null>;
  list(query: ListQuery): Promise<readonly MemoryRecord[]>;
  history(id: string, viewer: Viewer): Promise<readonly RecordVersion[]>;
  /** Of what the viewer may see only: what others store must not change, nor show in, what somebody finds. */
  termStatistics(terms: readonly string[], viewer: Viewer): Promise<TermStatistics>;
  /**
   * How often these terms stand in these records, of a store that knows without reading their texts. Undefined when just now
   * it does not. A count that does not fit is the highest that does.
   */
  termTable?(ids: readonly string[], terms: readonly string[]): Promise<TermTable | undefined>;
  /** Best first. Everything that the viewer may not see, and everything not live, was left out before ranking. */
  searchText(query: TextQuery): Promise<readonly TextCandidate[]>;
  /** Live records around others in their threads; around those without one, what was stored just before and after, without one too. */
  neighbours(query: NeighbourQuery): Promise<ReadonlyMap<string, Neighbours>>;
  /** Records that have changed since a time, as they were then: what no index holds any more. */
  changedSince(query: AsOfQuery): Promise<readonly MemoryRecord[]>;
  countAccess(ids: readonly string[], kind: 'access' | 'injection', at: number): Promise<void>;
  agents(): Promise<readonly AgentSummary[]>;
}

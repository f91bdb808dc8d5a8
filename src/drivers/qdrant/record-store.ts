/** The record store of the main storage, searched through Qdrant; every write wakes the carrier. */
import type { MemoryRecord, RecordVersion } from '../../kernel/record.ts';
import type { Viewer } from '../../kernel/scope.ts';
import type {
  AddOptions,
  AddResult,
  AgentSummary,
  AsOfQuery,
  Erasure,
  ListQuery,
  NeighbourQuery,
  Neighbours,
  RecordDraft,
  RecordPatch,
  RecordStore,
  SearchReads,
  TermStatistics,
  TermTable,
  TextCandidate,
  TextQuery,
  UpdateOptions,
  UpdateResult,
  VectorStore,
  WriteContext,
} from '../../ports/record-store.ts';

/** The index beside the main storage. */
interface Index {
  readonly vectors: VectorStore;
  /** Undefined: the main storage has to search. */
  readonly findText: (query: TextQuery) => Promise<readonly TextCandidate[] | undefined>;
  /** After every write. */
  readonly nudge: () => void;
}

export class IndexedRecordStore implements RecordStore {
  readonly vectors: VectorStore;
  readonly #main: RecordStore;
  readonly #index: Index;

  constructor(main: RecordStore, index: Index) {
    this.#main = main;
    this.vectors = index.vectors;
    this.#index = index;
  }

  add(draft: RecordDraft, options: AddOptions, context: WriteContext): Promise<AddResult> {
    return this.#write(this.#main.add(draft, options, context));
  }

  update(
    id: string,
    patch: RecordPatch,
    options: UpdateOptions,
    context: WriteContext,
  ): Promise<UpdateResult> {
    return this.#write(this.#main.update(id, patch, options, context));
  }

  revert(
    id: string,
    version: number | undefined,
    options: UpdateOptions,
    context: WriteContext,
  ): Promise<UpdateResult> {
    return this.#write(this.#main.revert(id, version, options, context));
  }

  forget(id: string, context: WriteContext): Promise<Erasure> {
    return this.#write(this.#main.forget(id, context));
  }

  forgetMany(ids: readonly string[], context: WriteContext): Promise<readonly Erasure[]> {
    return this.#write(this.#main.forgetMany(ids, context));
  }

  get(id: string, viewer: Viewer, now: number): Promise<MemoryRecord | null> {
    return this.#main.get(id, viewer, now);
  }

  list(query: ListQuery): Promise<readonly MemoryRecord[]> {
    return this.#main.list(query);
  }

  history(id: string, viewer: Viewer): Promise<readonly RecordVersion[]> {
    return this.#main.history(id, viewer);
  }

  /** What the main storage has in memory, it finds sooner than Qdrant. */
  async forSearch(): Promise<SearchReads | undefined> {
    return this.#main.forSearch?.();
  }

  termStatistics(terms: readonly string[], viewer: Viewer): Promise<TermStatistics> {
    return this.#main.termStatistics(terms, viewer);
  }

  async termTable(ids: readonly string[], terms: readonly string[]): Promise<TermTable | undefined> {
    return this.#main.termTable?.(ids, terms);
  }

  async searchText(query: TextQuery): Promise<readonly TextCandidate[]> {
    return (await this.#index.findText(query)) ?? this.#main.searchText(query);
  }

  neighbours(query: NeighbourQuery): Promise<ReadonlyMap<string, Neighbours>> {
    return this.#main.neighbours(query);
  }

  changedSince(query: AsOfQuery): Promise<readonly MemoryRecord[]> {
    return this.#main.changedSince(query);
  }

  countAccess(ids: readonly string[], kind: 'access' | 'injection', at: number): Promise<void> {
    return this.#main.countAccess(ids, kind, at);
  }

  agents(): Promise<readonly AgentSummary[]> {
    return this.#main.agents();
  }

  async #write<T>(writing: Promise<T>): Promise<T> {
    const result = await writing;
    this.#index.nudge();
    return result;
  }
}

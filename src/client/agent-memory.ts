/** `agent.memory`: the long-term memory of one agent, as the SDK shows it. */
import type { MemoryRecord, RecordVersion } from '../kernel/record.ts';
import { operations } from '../operations/index.ts';
import type {
  AddedMemory,
  ForgottenMemory,
  MemoryHit,
  PrunedMemories,
  RecalledMemory,
  StandingMemory,
  UpdatedMemory,
} from '../records/index.ts';
import type { Call } from './call.ts';
import type {
  ListOptions,
  MemoryChanges,
  NewLesson,
  NewMemory,
  PruneOptions,
  RecallOptions,
  SearchOptions,
  StandingOptions,
  UndoOptions,
} from './memory-inputs.ts';

export class AgentMemory {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Stores a memory; resolves once it is on disk. */
  add(memory: NewMemory): Promise<AddedMemory> {
    return this.#call(operations.memoryAdd, memory);
  }

  /** Finds live memories for a question in plain words, best first. */
  search(query: string, options: SearchOptions = {}): Promise<readonly MemoryHit[]> {
    return this.#call(operations.memorySearch, { ...options, query });
  }

  /** What to know before a task: standing memory, then what the task calls for, within a budget of characters. */
  recall(task: string, options: RecallOptions = {}): Promise<RecalledMemory> {
    return this.#call(operations.memoryRecall, { ...options, task });
  }

  /** What holds whatever the task is: pinned memories, instructions and preferences. */
  standing(options: StandingOptions = {}): Promise<StandingMemory> {
    return this.#call(operations.memoryStanding, options);
  }

  /** Erases expired memories for good; with `dryRun`, only says which ones. */
  prune(options: PruneOptions = {}): Promise<PrunedMemories> {
    return this.#call(operations.memoryPrune, options);
  }

  /** Memories, newest first. */
  list(options: ListOptions = {}): Promise<readonly MemoryRecord[]> {
    return this.#call(operations.memoryList, options);
  }

  /** One memory in full, also when it expired. Counts as an access. */
  get(id: string): Promise<MemoryRecord> {
    return this.#call(operations.memoryGet, { id });
  }

  /** Changes the named fields; the version before stays in the history. */
  update(id: string, changes: MemoryChanges): Promise<UpdatedMemory> {
    return this.#call(operations.memoryUpdate, { ...changes, id });
  }

  /** Shares a private memory with all agents; only its owner can. */
  promote(id: string): Promise<UpdatedMemory> {
    return this.#call(operations.memoryPromote, { id });
  }

  /** For leads: passes a lesson on to all agents, or with `worker` to one of them. */
  teach(lesson: NewLesson): Promise<AddedMemory> {
    return this.#call(operations.swarmTeach, lesson);
  }

  /** Erases the content for good and says what was erased. */
  forget(id: string): Promise<ForgottenMemory> {
    return this.#call(operations.memoryForget, { id });
  }

  /** Every version, oldest first; the last is the memory as it is now. */
  history(id: string): Promise<readonly RecordVersion[]> {
    return this.#call(operations.memoryHistory, { id });
  }

  /** Takes back the last change, or goes back to a version. */
  undo(id: string, options: UndoOptions = {}): Promise<UpdatedMemory> {
    return this.#call(operations.memoryUndo, { ...options, id });
  }
}

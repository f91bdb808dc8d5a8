/** `agent.memory`: the long-term memory of one agent, as the SDK shows it. */
import type { MemoryRecord, RecordVersion } from '../kernel/record.ts';
import type {
  AddedMemory,
  ForgottenMemory,
  MemoryHit,
  PrunedMemories,
  RecalledMemory,
  StandingMemory,
  UpdatedMemory,
} from '../records/index.ts';
import { verbs } from '../verbs.ts';
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
    return this.#call(verbs.memoryAdd, memory);
  }

  /** Finds live memories for a question in plain words, best first. */
  search(query: string, options: SearchOptions = {}): Promise<readonly MemoryHit[]> {
    return this.#call(verbs.memorySearch, { ...options, query });
  }

  /** What to know before a task: standing memory, then what the task calls for, within a budget of characters. */
  recall(task: string, options: RecallOptions = {}): Promise<RecalledMemory> {
    return this.#call(verbs.memoryRecall, { ...options, task });
  }

  /** What holds whatever the task is: pinned memories, instructions and preferences. */
  standing(options: StandingOptions = {}): Promise<StandingMemory> {
    return this.#call(verbs.memoryStanding, options);
  }

  /** Erases expired memories for good; with `dryRun`, only says which ones. */
  prune(options: PruneOptions = {}): Promise<PrunedMemories> {
    return this.#call(verbs.memoryForgetExpired, options);
  }

  /** Memories, newest first. */
  list(options: ListOptions = {}): Promise<readonly MemoryRecord[]> {
    return this.#call(verbs.memoryList, options);
  }

  /** One memory in full, also when it expired. Counts as an access. */
  get(id: string): Promise<MemoryRecord> {
    return this.#call(verbs.memoryGet, { id });
  }

  /** Changes the named fields; the version before stays in the history. */
  update(id: string, changes: MemoryChanges): Promise<UpdatedMemory> {
    return this.#call(verbs.memoryUpdate, { ...changes, id });
  }

  /** Shares a private memory with all agents; only its owner can. */
  promote(id: string): Promise<UpdatedMemory> {
    return this.#call(verbs.memoryPromote, { id });
  }

  /** For leads: passes a lesson on to all agents, or with `worker` to one of them. */
  teach(lesson: NewLesson): Promise<AddedMemory> {
    return this.#call(verbs.swarmTeach, lesson);
  }

  /** Erases the content for good and says what was erased. */
  forget(id: string): Promise<ForgottenMemory> {
    return this.#call(verbs.memoryForget, { id });
  }

  /** Every version, oldest first; the last is the memory as it is now. */
  history(id: string): Promise<readonly RecordVersion[]> {
    return this.#call(verbs.memoryHistory, { id });
  }

  /** Takes back the last change, or goes back to a version. */
  undo(id: string, options: UndoOptions = {}): Promise<UpdatedMemory> {
    return this.#call(verbs.memoryUndo, { ...options, id });
  }
}

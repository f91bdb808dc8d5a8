/** The parts of a prompt. */
import type { EarlierTurns } from '../conversation/index.ts';
import type { ChatMessage } from '../ports/language-model.ts';
import type { MemoryHit, RecalledMemory } from '../records/index.ts';
import type { ClockPrecision } from './clock-line.ts';
import type { Neutralise } from './entry.ts';
import type { Profile } from './profile.ts';

/** A passage of external knowledge, with the place where it stands. */
export interface DocumentHit {
  readonly text: string;
  readonly citation: string;
  readonly relevance: number;
}

/** Characters of whole blocks as they are sent: heading, fence, note, and entries with their date, category and id. */
export interface Budgets {
  /** In the system message: `memory.maxCharsInjected`. */
  readonly maxCharsInjected: number;
  /** Beside the task. Default: as much as in the system message. */
  readonly maxCharsPastKnowledge: number;
  /** Turns of earlier threads. */
  readonly maxCharsThreads: number;
  readonly maxCharsDocuments: number;
  /** Hits below this stay out; standing memory has no relevance and is not judged by it. */
  readonly minRelevance: number;
}

export const DEFAULT_BUDGETS: Omit<Budgets, 'maxCharsPastKnowledge'> = {
  maxCharsInjected: 2_000,
  maxCharsThreads: 2_000,
  maxCharsDocuments: 8_000,
  minRelevance: 0.1,
};

export interface AssembleInput {
  /** What is known about the user, already within its budget; its memories are not shown a second time. */
  readonly profile?: Profile | undefined;
  /** When the run began: the same for all its calls, so that they share a prefix that providers can cache. */
  readonly now: number;
  /** Whose memory it is. Without an agent the session is raw: nothing is injected. */
  readonly agent?: string | undefined;
  readonly session?: string | undefined;
  /** `provider/model`, for the receipt. */
  readonly model?: string | undefined;
  /** Default: minute. `none` leaves date and time out. */
  readonly clock?: ClockPrecision | 'none' | undefined;
  /** IANA name. Default: UTC. */
  readonly timeZone?: string | undefined;
  /** Long-term memory for the session. */
  readonly memory?: Pick<RecalledMemory, 'standing' | 'relevant'> | undefined;
  /** What the sections layer says about the sections there are. */
  readonly sectionsIndex?: string | undefined;
  /** SOUL.md. */
  readonly soul?: string | undefined;
  readonly instructions?: string | undefined;
  readonly rules?: string | undefined;
  readonly customRules?: string | undefined;
  /** What a conversation's start-up leaves of MEMORY.md, without its mark. */
  readonly startUp?: string | null | undefined;
  /** Turns before the task. */
  readonly history: readonly ChatMessage[];
  readonly task?: string | undefined;
  /** Turns since the task: what the model said and which tools answered, in this run. */
  readonly progress?: readonly ChatMessage[] | undefined;
  /** Memories found for the task: "Relevant Past Knowledge". */
  readonly relevantKnowledge?: readonly MemoryHit[] | undefined;
  /** What was said about the task in earlier threads, best first. */
  readonly earlier?: readonly EarlierTurns[] | undefined;
  /** Passages found for the task in external documents. */
  readonly documents?: readonly DocumentHit[] | undefined;
  readonly budgets?: Partial<Budgets> | undefined;
  /** What is done to texts besides `escapeFence`, which keeps them inside their fence. Default: that of the guard. */
  readonly neutralise?: Neutralise | undefined;
}

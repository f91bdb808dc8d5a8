/** The typed event stream: one union of events, each with a sequence number that only grows. */
import type { JsonObject } from './json.ts';
import type { Change } from './record.ts';
import type { Scope } from './scope.ts';

/** Which kind of caller caused a write. */
export type Via = 'sdk' | 'cli' | 'tool' | 'extractor' | 'http' | 'mcp' | 'system';

/** One proposal of the review at the end of a session. */
export interface ExtractedOperation {
  op: string;
  /** The memory that it is about; null for one that was not stored. */
  id: string | null;
  /** added, updated, superseded, deleted, confirmed, known or rejected. */
  outcome: string;
  reason?: string;
  confidence: number | null;
  /** In a dry run only: what is stored can be forgotten, and events must not remember it then. */
  category?: string;
  content?: string;
}

/** What became of the review of a session. `skipped`: it was too short to be reviewed. */
export type ReviewStatus = 'completed' | 'skipped' | 'failed';

/** How a prompt ended. What was said is in the log, under the ids in `messages`; there are none where nothing is kept. */
export interface PromptEnd {
  prompts: number;
  messages?: string[];
  inputTokens?: number;
  outputTokens?: number;
  /** In dollars; null when the price of the model is not known. */
  cost?: number | null;
}

export interface EventPayloads {
  'memory.wrote': {
    id: string;
    category: string;
    source: string;
    scope: Scope;
    version: number;
    change: Change;
  };
  'memory.blocked': { reasons: string[]; category: string; quarantineId?: string };
  'memory.pruned': { id: string; category: string; limit: number };
  'memory.expired': { id: string; category: string };
  'memory.forgotten': { id: string };
  'memory.recalled': { entryCount: number; charsInjected: number };
  'memory.extracted': {
    status: ReviewStatus;
    /** Why it was skipped, or why it failed: then it is tried again later. */
    reason?: string;
    opsProposed: number;
    opsApplied: number;
    dryRun: boolean;
    /** What became of each; in a dry run, of each what would have. */
    ops?: ExtractedOperation[];
    /** In a dry run: the summary that would have been stored. */
    summary?: string;
  };
  /** A prompt was sent to an agent; exactly one of the next three follows. */
  'session.sent': { characters: number };
  'session.completed': PromptEnd;
  'session.failed': PromptEnd;
  'session.aborted': PromptEnd;
  /** What entered the prompt of one call, and why. `task`: id of the message with the task. */
  'session.receipt': { loop: number; receipt: JsonObject; task?: string };
  'conversation.compacted': { archive: string | null; replaced: number };
  /** The model that was asked, and what was done without it: sentences were taken from the transcript, or nothing. */
  'conversation.compaction.failed': { model: string | null; code: string; fallback: 'extractive' | null };
  'storage.restored': { from: string };
  /** The agent of the next four is the lead of the run. */
  'swarm.run.started': { run: string; swarm: string };
  'swarm.run.completed': { run: string; swarm: string };
  'swarm.run.failed': { run: string; swarm: string };
  'swarm.run.cancelled': { run: string; swarm: string };
  'swarm.participant.joined': { run: string; role: string };
  /** One prompt of a participant was answered, or was not. */
  'swarm.participant.finished': { run: string };
  'swarm.participant.failed': { run: string; code: string };
  /** What was written is in the state, as long as there is one; events outlive it. */
  'swarm.state.changed': { run: string; version: number; op: string; path: string };
  'swarm.message': { run: string; message: string; role: string };
}

export type EventType = keyof EventPayloads;

interface Envelope {
  readonly at: number;
  readonly agent?: string;
  /** The user that it is about. */
  readonly user?: string;
  readonly session?: string;
  readonly via: Via;
}

export type EventDraft = {
  [T in EventType]: Envelope & { readonly type: T } & Readonly<EventPayloads[T]>;
}[EventType];
/** An event as it was stored: `seq` grows by one or more with each event of a workspace, over all processes. */
export type KeepsakeEvent = EventDraft & { readonly seq: number };
export type EventOf<T extends EventType> = Extract<KeepsakeEvent, { type: T }>;

export type EventListener = (event: KeepsakeEvent) => void;

/** Hands events to subscribers of this process, in order; a listener that throws does not stop the others. */
export class EventHub {
  readonly #listeners = new Set<EventListener>();
  readonly #onListenerError: (error: unknown) => void;

  constructor(onListenerError: (error: unknown) => void = () => {}) {
    this.#onListenerError = onListenerError;
  }

  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish(events: readonly KeepsakeEvent[]): void {
    for (const event of events) {
      for (const listener of this.#listeners) {
        try {
          const result: unknown = listener(event);
          // An asynchronous listener fits the type too, and nobody else would catch its error.
          if (result instanceof Promise) result.catch(this.#onListenerError);
        } catch (error) {
          this.#onListenerError(error);
        }
      }
    }
  }
}

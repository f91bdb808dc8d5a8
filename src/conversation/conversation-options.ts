/** Options and services of a conversation. */
import type { Clock } from '../kernel/clock.ts';
import type { EventDraft } from '../kernel/events.ts';
import type { IdFactory } from '../kernel/ids.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { FileLock } from '../ports/file-lock.ts';
import type { Files } from '../ports/files.ts';
import type { LogStore } from '../ports/log-store.ts';
import type { CompressionDefaults } from './compaction/compressor-options.ts';
import type { ConversationMessage } from './messages/message.ts';

/** Never part of MEMORY.md, never summarised, and fresh with every start. */
export interface StaticMessages {
  /** Who the agent is and what it is for: the first message of every prompt. */
  readonly systemPrompt?: string | undefined;
  /** What it has to keep to; follows the system prompt. */
  readonly rules?: string | undefined;
  /** What it has to keep to in this run besides; follows the rules. */
  readonly customRulesPrompt?: string | undefined;
}

export interface ConversationOptions extends StaticMessages {
  /** Whose conversation it is. */
  readonly agent: string;
  /** Default: the agent's name, so that all runs of an agent share one thread. */
  readonly thread?: string;
  /** Id of the run that messages belong to. Default: a new one. */
  readonly run?: string;
  /** How many past messages are replayed; 0 stores none. */
  readonly historyLimit: number;
  /** Whether MEMORY.md is kept. */
  readonly persistentMemory: boolean;
  /** How many bytes of MEMORY.md are loaded at the start, from its end. */
  readonly startUpBytes?: number;
  /** What compressors of this conversation use unless they say otherwise. */
  readonly compression?: CompressionDefaults;
}

export interface ConversationParts {
  readonly log: LogStore;
  readonly lock: FileLock;
  readonly clock: Clock;
  readonly ids: IdFactory;
  readonly files?: Files;
  /** Root of the workspace; nothing is written outside of it. */
  readonly root: string;
  readonly memoryFile: string;
  readonly archiveFolder: string;
  readonly exportFolder: string;
  readonly newConversationId: () => string;
  readonly emit: (event: EventDraft) => Promise<void>;
}

/** About 64,000 tokens: enough to remember, and far from any model's limit. */
export const DEFAULT_START_UP_BYTES = 256 * 1024;

export interface AddOptions {
  /** When it was said, for messages from elsewhere. Default: now. */
  readonly at?: number;
  /** Any JSON object of your own, kept with the message. */
  readonly metadata?: JsonObject;
}

export interface CompactOptions {
  /** What represents the conversation from now on. */
  readonly summary: string;
  /** How many of the newest messages stay as they are after the summary, from a user's turn on. Default 0. */
  readonly keepLast?: number;
  /** Ids of the messages that the summary represents; all others stay. Default: all but the last `keepLast`. */
  readonly covers?: readonly string[];
  /** A model's summary must be longer than a person's. */
  readonly by?: 'hand' | 'model';
}

export interface CompactResult {
  /** Name of the archive; null when there is no MEMORY.md to archive. */
  readonly archive: string | null;
  readonly summary: ConversationMessage;
  /** How many messages the summary represents. */
  readonly replaced: number;
}

export interface FailedCompaction {
  /** The model that was asked; null when the summary was not what failed. */
  readonly model: string | null;
  readonly code: string;
  /** What was done without it; null when nothing was. */
  readonly fallback: 'extractive' | null;
}

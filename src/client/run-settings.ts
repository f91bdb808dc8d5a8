/** Resolves models, tools and identity of a run. */

import type { Participation, SessionKind, Tool } from '../agents/index.ts';
import type { Config, LanguageModelInput } from '../config/index.ts';
import type { CompressorChoice, Conversation } from '../conversation/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { defined } from '../kernel/defined.ts';
import type { Via } from '../kernel/events.ts';
import type { Role } from '../kernel/scope.ts';
import type { LongTermMemory } from '../knowledge/index.ts';

export const PACKS = ['facts', 'sections', 'swarm', 'context', 'state', 'files', 'http'] as const;
export type Pack = (typeof PACKS)[number];

export type { SessionKind } from '../agents/index.ts';
export const SESSION_KINDS: readonly SessionKind[] = ['chat', 'task', 'automatic'];

/** How an agent thinks and what it may use. */
export interface RunSettings {
  /** What the agent is for, for people and other agents. */
  readonly description?: string;
  /** "provider/model", a model of the AI SDK, or one of your own. Default: as configured. */
  readonly model?: LanguageModelInput;
  /** Cheap model for summaries and extraction. Default: as configured, else the main one. */
  readonly light?: LanguageModelInput;
  /** How often the model may be asked for one task; "auto" (the default) until it has an answer. */
  readonly maxLoops?: number | 'auto';
  /** Tools of your own. */
  readonly tools?: readonly Tool[];
  /** Built-in tools. Default: sections and context, and facts where memory is enabled. */
  readonly packs?: readonly Pack[];
  /** Of the built-in tools, only those of these names. Default: all of the packs. */
  readonly toolNames?: readonly string[];
  /** Folders and files that the pack `files` may touch, relative to the workspace. */
  readonly paths?: readonly string[];
  /** Hosts of this machine or network that the pack `http` may ask all the same. */
  readonly allowHosts?: readonly string[];
  /** Long-term facts of this agent; wins over the configuration. */
  readonly memory?: Partial<Config['memory']>;
  /** Looks external knowledge up at every loop instead of only at the beginning. Default: as configured. */
  readonly ragEveryLoop?: boolean;
  /** Maximum number of characters in a chunk of an external document. Default: as configured, 2000. */
  readonly memoryChunkSize?: number;
  readonly temperature?: number;
}

/** Who runs, and what it is told. */
export interface Runner {
  readonly name: string | null;
  /** The person that it serves. */
  readonly user?: string | undefined;
  /** The thread that its conversation is; undefined for its one conversation. */
  readonly thread?: string | undefined;
  readonly role: Exclude<Role, 'admin'>;
  readonly via: Via;
  readonly settings: RunSettings;
  readonly instructions?: string | undefined;
  readonly rules?: string | undefined;
  readonly customRules?: string | undefined;
  readonly longTermMemory: LongTermMemory | null;
  readonly conversation: Conversation | null;
  /** Null in a raw session. */
  readonly compressor: CompressorChoice | null;
  /** Nothing of the run is stored: no message, no task, no summary, nothing that it taught. */
  readonly isStateless?: boolean;
  /** Of an agent that works in a swarm run. */
  readonly swarm?: Participation | undefined;
}

/** What the settings of an agent say about its writes, for the caller who makes them. */
export function limitsOf({ memory }: Pick<RunSettings, 'memory'>): Pick<Caller, 'limits'> {
  const { maxEntries, readOnly } = memory ?? {};
  return {
    limits: {
      ...defined({ maxEntries, readOnly }),
    },
  };
}

/** What an agent is besides its settings. */
export type Identity = Pick<Runner, 'role' | 'via' | 'swarm'>;

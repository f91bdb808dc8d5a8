/** Resolves the conversation settings of an agent from configuration and options. */

import {
  type Config,
  HISTORY_LIMITS,
  type HistoryLevel,
  type LanguageModelInput,
  resolveAgentConfig,
} from '../config/index.ts';
import {
  type CompressionDefaults,
  ContextCompressor,
  type ConversationSwitches,
  type StaticMessages,
} from '../conversation/index.ts';
import { defined } from '../kernel/defined.ts';
import type { ModelCall } from '../ports/model-meter.ts';
import { summarizerOf } from './agent-models.ts';
import type { Engine } from './engine.ts';
import type { RunSettings } from './run-settings.ts';

export interface ConversationSettings extends StaticMessages {
  /**
   * low 10, medium 50, high 200 messages are sent again; preamble: MEMORY.md as one system message, and no earlier
   * messages. off (or false): nothing is sent again, and nothing of a run is stored.
   */
  readonly history?: HistoryLevel | false;
  /** Whether MEMORY.md is kept. When it is switched off here and `history` is not given, nothing is kept at all. */
  readonly persistentMemory?: boolean;
  /** Whether the conversation is compacted by itself when the context is nearly full. */
  readonly contextCompression?: boolean;
  /** Bytes of MEMORY.md that are loaded at the start. */
  readonly startUpBytes?: number;
  /** Id of the run that messages belong to. */
  readonly run?: string;
}

export function configuredSwitches(config: Config, agent: string): ConversationSwitches {
  const { history, persistentMemory } = resolveAgentConfig(config, agent);
  return { persistentMemory: persistentMemory && history !== 'off', historyLimit: HISTORY_LIMITS[history] };
}

/** Whether nothing of a run may be stored: no message, no task, no summary, nothing that it taught. */
export function isStateless(config: Config, agent: string, { history }: ConversationSettings): boolean {
  const level = history ?? resolveAgentConfig(config, agent).history;
  return level === 'off' || level === false;
}

export function ownSwitches(
  config: Config,
  agent: string,
  given: ConversationSettings,
): Partial<ConversationSwitches> {
  const { history, persistentMemory, startUpBytes, run, systemPrompt, rules, customRulesPrompt } = given;
  const settings = { persistentMemory, startUpBytes, run, systemPrompt, rules, customRulesPrompt };
  const level = history ?? (persistentMemory === false ? 'off' : undefined);
  const set = Object.entries(settings).filter(([, value]) => value !== undefined);
  const own: Partial<ConversationSwitches> = Object.fromEntries(set);
  const limit = level === undefined ? {} : { historyLimit: HISTORY_LIMITS[level === false ? 'off' : level] };
  return { ...own, ...limit, ...(isStateless(config, agent, given) ? { persistentMemory: false } : {}) };
}

type Place = Pick<Engine, 'config' | 'env'>;

/** What compressors of the agent's conversation use unless they say otherwise. */
export function compressionDefaults(
  { config, env }: Place,
  agent: string,
  settings: RunSettings,
  onCall?: (call: ModelCall) => void,
): CompressionDefaults {
  const { compression, models } = resolveAgentConfig(config, agent);
  const { summarizerModel, ...configured } = compression;
  const open = (model: LanguageModelInput | undefined) =>
    summarizerOf({ name: agent, settings }, { config, env }, model, onCall);
  return {
    ...defined(configured),
    model: settings.model ?? models.main,
    ...defined({ summarizer: open(summarizerModel) }),
    openSummarizer: (model) => open(model as LanguageModelInput),
  };
}

/** The compressor that an agent has unless it is replaced; null when compression is switched off. */
export function compressorFor(
  place: Place,
  agent: string,
  settings: ConversationSettings & RunSettings,
  onCall?: (call: ModelCall) => void,
): ContextCompressor | null {
  const { contextCompression } = resolveAgentConfig(place.config, agent);
  if (!(settings.contextCompression ?? contextCompression)) return null;
  const { openSummarizer: _, ...options } = compressionDefaults(place, agent, settings, onCall);
  return new ContextCompressor(options);
}

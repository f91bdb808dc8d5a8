/** Opens the conversation of an agent with the settings that hold for it. */
import { HISTORY_LIMITS, type HistoryLevel, resolveAgentConfig } from '../config/index.ts';
import { ContextCompressor, Conversation, type StaticMessages } from '../conversation/index.ts';
import type { Engine } from './engine.ts';

export interface ConversationSettings extends StaticMessages {
  /** low 10, medium 50, high 200 messages are sent again; off (or false) none, and none is stored. */
  readonly history?: HistoryLevel | false;
  /** Whether MEMORY.md is kept. When it is switched off here and `history` is not given, nothing is kept at all. */
  readonly persistentMemory?: boolean;
  /** Bytes of MEMORY.md that are loaded at the start. */
  readonly startUpBytes?: number;
  /** Id of the run that messages belong to. */
  readonly run?: string;
}

function historyOf(settings: ConversationSettings, configured: HistoryLevel): HistoryLevel {
  if (settings.history !== undefined) return settings.history === false ? 'off' : settings.history;
  return settings.persistentMemory === false ? 'off' : configured;
}

export function openConversation(
  engine: Engine,
  agent: string,
  settings: ConversationSettings,
): Conversation {
  const config = resolveAgentConfig(engine.config, agent);
  const { history: _level, persistentMemory = config.persistentMemory, ...rest } = settings;
  const { storage, lock, clock, ids, hub, paths } = engine;
  return new Conversation(
    { ...rest, agent, persistentMemory, historyLimit: HISTORY_LIMITS[historyOf(settings, config.history)] },
    {
      log: storage.log,
      lock,
      clock,
      ids,
      root: paths.root,
      memoryFile: paths.memoryFile(agent),
      archiveFolder: paths.archiveFolder(agent),
      exportFolder: paths.exportFolder(agent),
      newConversationId: () => crypto.randomUUID(),
      emit: async (event) => hub.publish(await storage.events.append([event])),
    },
  );
}

/** The compressor that an agent has unless it is replaced; undefined when compression is switched off. */
export function defaultCompressor(engine: Engine, agent: string): ContextCompressor | undefined {
  const { contextCompression, compression, models } = resolveAgentConfig(engine.config, agent);
  if (!contextCompression) return undefined;
  const { threshold, policy, contextLength, summarizerTemperature, summarizerMaxTokens } = compression;
  return new ContextCompressor({
    threshold,
    policy,
    model: models.main,
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(summarizerTemperature === undefined ? {} : { summarizerTemperature }),
    ...(summarizerMaxTokens === undefined ? {} : { summarizerMaxTokens }),
  });
}

/** Opens a workspace: configuration, storage and the layers on top, wired together. */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  type AiSdkEmbedding,
  adoptEmbedding,
  checkEmbeddingFiles,
  openEmbedding,
  openStoredEmbedding,
} from '../config/embedding.ts';
import {
  type Config,
  type ConfigInput,
  type Environment,
  loadConfig,
  readEnvironment,
  resolveAgentConfig,
} from '../config/index.ts';
import { openTokenModel } from '../config/late-interaction.ts';
import { openFileLock, openStorage } from '../config/registry.ts';
import { type AiSdkReranker, adoptReranker, openReranker } from '../config/reranker.ts';
import { type ConversationParts, ConversationService } from '../conversation/index.ts';
import { createGuard, noGuard, Quarantine } from '../guard/index.ts';
import { ItemService } from '../items/index.ts';
import { type Caller, NO_AGENT } from '../kernel/caller.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { defined } from '../kernel/defined.ts';
import type { EventHub } from '../kernel/events.ts';
import { createIds, type IdFactory } from '../kernel/ids.ts';
import type { Source } from '../kernel/record.ts';
import { useTracing } from '../kernel/tracing.ts';
import { refuseUnfinished } from '../kernel/unfinished-migration.ts';
import { KnowledgeService, NotesService, Places, SwarmResults } from '../knowledge/index.ts';
import { LeaseRunner } from '../leases/index.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { FileLock } from '../ports/file-lock.ts';
import type { Guard } from '../ports/guard.ts';
import type { QuarantineEntry } from '../ports/quarantine-store.ts';
import type { Reranker } from '../ports/reranker.ts';
import type { Storage } from '../ports/storage.ts';
import type { TokenModel } from '../ports/token-model.ts';
import { Embedder, LateInteraction, type RecordPolicy, RecordService } from '../records/index.ts';
import { openTelemetry } from '../runtime/open-telemetry.ts';
import { SectionsService } from '../sections/index.ts';
import type { Services } from '../verbs.ts';
import { LocalRuns, SwarmService } from '../working/index.ts';
import {
  findWorkspace,
  hideIfNew,
  refuseMissing,
  type WorkspacePaths,
  workspacePaths,
} from '../workspace/index.ts';
import { configuredSwitches } from './conversation-settings.ts';
import { replayWrite } from './replay-write.ts';
import { tracedStorage } from './traced-storage.ts';

export interface EngineOptions {
  /** Folder of the workspace. Default: nearest folder with keepsake.jsonc, else $WORKSPACE_DIR, else ~/.keepsake. Made on first use if it is not there. */
  readonly workspace?: string;
  /** False: a workspace that is not there is an error instead of being made, as on the command line. Default: true. */
  readonly create?: boolean;
  /** Settings that win over the file and the environment. */
  readonly config?: ConfigInput;
  readonly clock?: Clock;
  readonly ids?: IdFactory;
  /** Opens a storage of your own in place of the configured one; closing the client closes it. See `keepsake/testing`. */
  readonly storage?: () => Promise<Storage>;
  /** Judges what is written, in place of the guard that Keepsake brings. */
  readonly guard?: Guard;
  /** Makes text searchable by meaning: any embedding model of the AI SDK, or one of your own. Default: as configured. */
  readonly embedding?: EmbeddingModel | AiSdkEmbedding;
  /** Reads question and memory together and has the last word on relevance: any reranking model of the AI SDK, or one of your own. Default: as configured. */
  readonly reranker?: Reranker | AiSdkReranker;
  /** Compares questions and memories token by token and improves the order of hits: a model of your own. Default: as configured. */
  readonly lateInteraction?: TokenModel;
}

export interface Engine extends Services {
  readonly ids: IdFactory;
  readonly lock: FileLock;
  /** What one process at a time does, of all that share the storage. */
  readonly leaseRunner: LeaseRunner;
  /** Sessions that have not ended; closing ends them first. */
  readonly sessions: Set<{ end(): Promise<void> }>;
  readonly embedder: Embedder;
  /** Undefined where no model for it is in use. */
  readonly lateInteraction: LateInteraction | undefined;
  readonly swarmResults: SwarmResults;
  readonly runs: LocalRuns;
  readonly guard: Guard;
  close(): Promise<void>;
  readonly config: Config;
  /** The environment as it was when the workspace was opened. */
  readonly env: Environment;
  readonly hub: EventHub;
  readonly paths: ReturnType<typeof workspacePaths>;
}

function policyOf(config: Config, agent: string | undefined): RecordPolicy {
  const { maxEntries, readOnly } =
    agent === undefined || agent === NO_AGENT ? config.memory : resolveAgentConfig(config, agent).memory;
  return { maxEntries, readOnly, ttl: config.ttl, ranking: config.ranking };
}

/** The configuration of the workspace that is meant, and where that is. Nothing is opened or created. */
export function configOf(options: EngineOptions): {
  readonly config: Config;
  readonly env: Environment;
  readonly root: string;
} {
  const env = readEnvironment();
  const { root, configFile } = findWorkspace({ cwd: process.cwd(), env, explicit: options.workspace });
  const overrides = defined({ overrides: options.config });
  return { config: loadConfig({ workspace: root, env, file: configFile, ...overrides }).config, env, root };
}

/** A process that ends soon does not look through the folders of very many agents; a server and doctor do. */
const SWEPT_AT_START = 64;

/** In the background: files of killed processes hold memories. What cannot be removed is named by doctor. */
async function sweepAtStart(paths: WorkspacePaths): Promise<void> {
  const { sweepLeftovers } = await import('../administration/examine-leftovers.ts');
  await sweepLeftovers({ root: paths.root, paths }, { agents: SWEPT_AT_START }).catch(() => {});
}

export async function openEngine(
  options: EngineOptions,
  hub: EventHub,
  /** Chunk sizes that code gave to single agents; they win over the configuration. */
  chunkSizes: ReadonlyMap<string, number> = new Map(),
  /** The agents that code of this process works with. */
  opened: ReadonlySet<string> = new Set(),
): Promise<Engine> {
  const clock = options.clock ?? systemClock;
  const ids = options.ids ?? createIds(clock);
  const { config, env, root } = configOf(options);
  if (options.create === false) refuseMissing(root);
  if (options.embedding === undefined) checkEmbeddingFiles({ models: config.models, env });
  const paths = workspacePaths(root, config);
  const guard = options.guard ?? (config.guard.enabled ? createGuard(config.guard) : noGuard);
  const reranker =
    options.reranker === undefined
      ? await openReranker({ models: config.models, env })
      : await adoptReranker(options.reranker);
  const open = options.storage ?? (() => openStorage({ storage: config.storage, database: paths.database }));
  useTracing(openTelemetry);
  const storage = tracedStorage(await refuseUnfinished(await hideIfNew(paths.dataFolder, open)));
  const leaseRunner = new LeaseRunner({ leases: storage.leases, clock, owner: randomUUID() });
  const quarantine = new Quarantine({ store: storage.quarantine, hub, clock, ids });
  const place = { models: config.models, env, root };
  const given = options.embedding;
  const embedder = new Embedder({
    vectors: storage.records.vectors,
    leaseRunner,
    open:
      given === undefined
        ? config.models.embedding === 'none'
          ? undefined
          : async () => (await openEmbedding(place)) as EmbeddingModel
        : () => adoptEmbedding(given),
    openStored: (id) => openStoredEmbedding(place, id),
  });
  const { lateInteraction: tokenModel } = options;
  const isLate = tokenModel !== undefined || config.models.lateInteraction !== 'none';
  const lateInteraction = isLate
    ? new LateInteraction({
        ...{ store: storage.tokens, leaseRunner, clock },
        open: async () => tokenModel ?? ((await openTokenModel(place)) as TokenModel),
      })
    : undefined;
  const records = new RecordService({
    store: storage.records,
    events: storage.events,
    hub,
    clock,
    ids,
    guard,
    quarantine,
    embedder,
    reranker,
    lateInteraction,
    policyFor: (agent) => policyOf(config, agent),
    redactCopies: async (memories, viewer) => {
      const { forgetCopies } = await import('./forget-copies.ts');
      return forgetCopies(memories, viewer, { storage, paths, clock, partsFor });
    },
  });
  const filed = {
    records,
    clock,
    store: storage.records,
    places: new Places({ root: paths.root, own: [paths.agentsFolder, paths.dataFolder, paths.configFile] }),
    settingsFor: (agent: string) => {
      const { chunkSize, chunkOverlap } = resolveAgentConfig(config, agent).knowledge;
      return { size: chunkSizes.get(agent) ?? chunkSize, overlap: chunkOverlap };
    },
    lifetimeOf: (source: Source) => config.ttl[source],
    web: { allowHosts: config.knowledge.allowHosts },
  };
  const knowledge = new KnowledgeService(filed);
  const notes = new NotesService({
    ...filed,
    agentsFolder: paths.agentsFolder,
    notesFolder: paths.notesFolder,
  });
  const items = new ItemService({
    ...{ store: storage.items, embedder, clock },
    isReadOnly: (agent) => policyOf(config, agent).readOnly,
  });
  const swarmResults = new SwarmResults({ records, clock });
  const runs = new LocalRuns({ storage, clock, hub, guard, quarantine });
  const swarms = new SwarmService({
    ...{ runs, ids, records, swarmResults },
    embed: (text) => embedder.query(text),
  });
  const lock = await openFileLock();
  const sections = new SectionsService({
    root: paths.root,
    fileOf: paths.sectionsFile,
    lock,
    events: storage.events,
    hub,
    clock,
    guard,
    quarantine,
  });
  /** Loaded on demand: only a few commands and pages ask what the files of agents say. */
  const conversationsInFiles = async (wanted?: readonly string[]) => {
    const { conversationsInFiles: read } = await import('../agents/index.ts');
    return read(paths.agentsFolder, config, wanted);
  };
  const partsFor = (agent: string): ConversationParts => ({
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
  });
  const conversations = new ConversationService({
    switchesFor: (agent) => configuredSwitches(config, agent),
    switchesInFile: async (agent) =>
      existsSync(paths.agentFile(agent)) ? (await conversationsInFiles([agent])).get(agent) : undefined,
    partsFor,
  });
  const services = { records, sections, swarms };
  const swept = sweepAtStart(paths);
  const close = async () => {
    await swept;
    await runs.settled();
    await embedder.close();
    await lateInteraction?.close();
    await storage.close();
    await lock.close();
  };
  return {
    ...{
      config,
      paths,
      storage,
      records,
      sections,
      conversations,
      knowledge,
      items,
      notes,
      swarmResults,
      runs,
      swarms,
      quarantine,
    },
    ...{
      embedder,
      lateInteraction,
      sessions: new Set<{ end(): Promise<void> }>(),
      clock,
      ids,
      lock,
      leaseRunner,
      hub,
      env,
      guard,
      close,
      conversationsInFiles,
      knownAgents: async () => {
        const { knownAgents } = await import('./known-agents.ts');
        return knownAgents({ storage, config, paths, opened, lock, clock });
      },
      replayWrite: (entry: QuarantineEntry, caller: Caller) => replayWrite(services, entry, caller),
    },
  };
}

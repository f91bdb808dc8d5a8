/** Keepsake: memory for AI agents. */
import './kernel/node-version.ts';

export {
  type AbandonReport,
  abandonMigration,
  type MigrateOptions,
  type MigratePlan,
  type MigrateProgress,
  type MigrateReport,
  workspaceMigrate as migrateStorage,
} from './administration/migrate.ts';
export type { ReEmbedOptions, ReEmbedProgress, ReEmbedReport } from './administration/re-embed.ts';
export type { ReindexReport } from './administration/reindex.ts';
export type { Answer, RunEvent, SendOptions, Session, SwarmRun } from './agents/index.ts';
export {
  Agent,
  AgentHandle,
  type AgentOptions,
  Client,
  type ClientOptions,
  createClient,
  type Engine,
  type EngineOptions,
  type KnowledgeMemoryOptions,
  type MemoryFilter,
  type MemoryTool,
  type MemoryToolPack,
  type NewAgentOptions,
  type RunOptions,
  Runs,
  type SessionOptions,
  type StartOptions,
  Swarm,
  type SwarmOptions,
  type SwarmOutcome,
} from './client/index.ts';
export * from './client/sdk/index.ts';
export type { LanguageModelInput } from './config/index.ts';
export type { Config, ConfigInput } from './config/schema.ts';
export type { StorageConfig } from './config/storage.ts';
export type { Receipt, ReceiptOf, SessionReceipts } from './context/index.ts';
export {
  type AddOptions,
  type ArchiveSummary,
  type Archives,
  type CompactOptions,
  type CompactResult,
  type Compression,
  type CompressionPolicy,
  type ContentPart,
  ContextCompressor,
  type ContextCompressorOptions,
  type Conversation,
  type ConversationMessage,
  type ConversationService,
  type ConversationSummary,
  contentText,
  countTokens,
  type FoundMessage,
  historyWindow,
  type ImportResult,
  type MessageContent,
  type MessageMatch,
  type ModelMessage,
  type MoreContext,
  type MoreContextInput,
  type PlainMessage,
  type StartUp,
  summarizeExtractively,
  type TokenCount,
} from './conversation/index.ts';
export type { DeletedEntry, Examination, ReleasedWrite, ScannedText } from './guard/index.ts';
export { type Clock, systemClock } from './kernel/clock.ts';
export { ERROR_TABLE, type ErrorCode, KeepsakeError } from './kernel/errors.ts';
export type { EventListener, EventOf, EventType, KeepsakeEvent, Via } from './kernel/events.ts';
export type { IdFactory } from './kernel/ids.ts';
export type { JsonObject, JsonValue } from './kernel/json.ts';
export type { WithNotices } from './kernel/notices.ts';
export {
  type MemoryRecord,
  type Origin,
  type RecordState,
  type RecordVersion,
  type Source,
  SUGGESTED_CATEGORIES,
} from './kernel/record.ts';
export type { Role, Scope } from './kernel/scope.ts';
export { estimateTokens } from './kernel/tokens.ts';
export { defineTool, type Tool, type ToolContext } from './kernel/tool.ts';
export type { CallOptions } from './kernel/verb.ts';
export type {
  IndexReport,
  KnowledgeFile,
  KnowledgeHit,
  KnowledgeRoot,
  LongTermHit,
  LongTermMemory,
  RemovedKnowledge,
  StoredKnowledge,
  SwarmResult,
  SwarmResultHit,
  SwarmResultInput,
} from './knowledge/index.ts';
export type { EmbeddingKind, EmbeddingModel } from './ports/embedding-model.ts';
export type { EventQuery, EventStore } from './ports/event-store.ts';
export type { Guard, GuardSubject, Verdict } from './ports/guard.ts';
export type {
  ChatEvent,
  ChatMessage,
  ChatModel,
  ChatPart,
  ChatRequest,
  Generated,
  GenerateRequest,
  LanguageModel,
  ToolSpec,
  Usage,
} from './ports/language-model.ts';
export type { LeaseStore } from './ports/lease-store.ts';
export type { LogStore } from './ports/log-store.ts';
export type { Maintenance } from './ports/maintenance.ts';
export type { BusMessage, MessageBus } from './ports/message-bus.ts';
export type { ModelCall, ModelRole, ModelTally } from './ports/model-meter.ts';
export type { QuarantineEntry, QuarantineStore } from './ports/quarantine-store.ts';
export type { AgentSummary, RecordStore } from './ports/record-store.ts';
export type { Reranker } from './ports/reranker.ts';
export type { RunRecord, RunStatus, RunStore, RunUsage } from './ports/run-store.ts';
export type { StateChange, StateStore } from './ports/state-store.ts';
export type { Storage } from './ports/storage.ts';
export type { TextInPlace, TokenModel, TokenSpace, TokenVectors } from './ports/token-model.ts';
export type {
  AddedMemory,
  AddInput,
  Factors,
  ForgottenMemory,
  FoundMemories,
  ListInput,
  MemoryHit,
  MemoryOutline,
  MemoryStats,
  PrunedMemories,
  RecalledMemory,
  SearchInput,
  StandingMemory,
  UndoInput,
  UpdatedMemory,
  UpdateInput,
} from './records/index.ts';
export type {
  AppendedSection,
  RemovedSection,
  SavedSection,
  SectionSummary,
  SectionText,
} from './sections/index.ts';
export type {
  ArchiveReport,
  ExportOptions,
  ExportReport,
  ForeignReport,
  ImportFormat,
  ImportOptions,
  ImportReport,
  LearnChatsOptions,
  LearnedChats,
  LearnPlan,
} from './transfer/index.ts';
export type {
  Changed,
  ChangeOptions,
  PatchOperation,
  RunHandle,
  SharedState,
  StateLook,
  StatePath,
  WatchOptions,
} from './working/index.ts';

/** Keepsake: memory for AI agents. */
export {
  AgentHandle,
  AgentMemory,
  type AgentOptions,
  AgentSections,
  Client,
  type ClientOptions,
  createClient,
} from './client/index.ts';
export type { Config, ConfigInput } from './config/schema.ts';
export {
  type Archives,
  type Compression,
  type ContentPart,
  ContextCompressor,
  type ContextCompressorOptions,
  type Conversation,
  type ConversationMessage,
  contentText,
  countTokens,
  historyWindow,
  type MessageContent,
  type MoreContext,
  summarizeExtractively,
} from './conversation/index.ts';
export { type Clock, systemClock } from './kernel/clock.ts';
export { ERROR_TABLE, type ErrorCode, KeepsakeError } from './kernel/errors.ts';
export type { EventListener, EventOf, EventType, KeepsakeEvent, Via } from './kernel/events.ts';
export type { JsonObject, JsonValue } from './kernel/json.ts';
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
export type { Guard, GuardSubject, Verdict } from './ports/guard.ts';
export type {
  AddedMemory,
  AddInput,
  Factors,
  ForgottenMemory,
  ListInput,
  MemoryHit,
  SearchInput,
  UpdatedMemory,
  UpdateInput,
} from './records/index.ts';

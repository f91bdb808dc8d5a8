/** Conversations: the log and its views. */
export { type ArchiveSummary, Archives } from './archives.ts';
export { CompressorChoice } from './compressor-choice.ts';
export {
  type Compression,
  type CompressionPolicy,
  ContextCompressor,
  type ContextCompressorOptions,
} from './context-compressor.ts';
export { Conversation } from './conversation.ts';
export type {
  AddOptions,
  CompactOptions,
  CompactResult,
  ConversationOptions,
  ConversationParts,
  StaticMessages,
} from './conversation-options.ts';
export {
  ConversationService,
  type ConversationServiceParts,
  type ConversationSwitches,
  type ImportResult,
} from './conversation-service.ts';
export { summarizeExtractively } from './extractive.ts';
export { historyWindow } from './history-window.ts';
export {
  archiveDiffInput,
  archiveListInput,
  archiveSearchInput,
  archiveShowInput,
  type CompactInput,
  compactInput,
  type LogSearchInput,
  type LogShowInput,
  logAddInput,
  logExportInput,
  logImportInput,
  logSearchInput,
  logShowInput,
} from './inputs.ts';
export {
  type ContentPart,
  type ConversationMessage,
  contentText,
  type MessageContent,
  type ModelRole,
} from './message.ts';
export type { MessageMatch } from './message-search.ts';
export type { MoreContext, MoreContextInput } from './more-context.ts';
export type { ModelMessage, PlainMessage } from './presenting.ts';
export type { StartUp } from './start-up.ts';
export { countTokens, type TokenCount } from './token-count.ts';

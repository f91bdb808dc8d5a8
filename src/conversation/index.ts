/**
 * Conversations: the log and its views. `Conversation` is one of them, `ConversationService` all of them for people.
 * messages/ one message; log/ a thread in the log; window/ what is sent again; memory-md/ the file MEMORY.md; archives/ what
 * compactions saved; compaction/ summaries and when they are made; formats/ exports and imports.
 */
export { type ArchiveSummary, Archives } from './archives/archives.ts';
export { CompressorChoice } from './compaction/compressor-choice.ts';
export type {
  CompressionDefaults,
  CompressionPolicy,
  ContextCompressorOptions,
} from './compaction/compressor-options.ts';
export {
  type Compression,
  ContextCompressor,
} from './compaction/context-compressor.ts';
export { summarizeExtractively } from './compaction/extractive-summary.ts';
export { countTokens, type TokenCount } from './compaction/token-count.ts';
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
export { type EarlierTurn, type EarlierTurns, earlierTurns } from './earlier-turns.ts';
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
export type { ConversationSummary } from './list-conversations.ts';
export type { MoreContext, MoreContextInput } from './log/more-context.ts';
export {
  type ContentPart,
  type ConversationMessage,
  contentText,
  type MessageContent,
  type ModelRole,
} from './messages/message.ts';
export type { MessageMatch } from './messages/message-search.ts';
export type { ModelMessage, PlainMessage } from './messages/message-views.ts';
export type { ForgottenText } from './redaction/forgotten-text.ts';
export {
  type ForgottenMemoryText,
  forgottenTexts,
  type RedactedCopies,
  redactAll,
  redactCopies,
} from './redaction/redact-copies.ts';
export type { FoundMessage } from './search-messages.ts';
export { archivedAt, archiveThread } from './thread-archive.ts';
export { historyWindow } from './window/history-window.ts';
export { type ShortenOptions, shortenResults } from './window/shorten-results.ts';
export type { StartUp } from './window/start-up.ts';

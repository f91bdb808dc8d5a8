/** Long-term memory. */

export { dot } from './dot-product.ts';
export { Embedder, type EmbeddingHealth, type EmbeddingProgress } from './embedder.ts';
export {
  type AddInput,
  addInput,
  idInput,
  type ListInput,
  listInput,
  MAX_CONTENT_CHARACTERS,
  type PruneInput,
  pruneInput,
  type RecallInput,
  recallInput,
  requireQuery,
  type SearchInput,
  type StandingInput,
  searchInput,
  standingInput,
  type UndoInput,
  type UpdateInput,
  undoInput,
  updateInput,
} from './inputs.ts';
export { LateInteraction, type LateInteractionHealth } from './late-interaction.ts';
export type { MemoryOutline } from './outline.ts';
export * as memoryOutputs from './outputs.ts';
export { isPlainJson } from './plain-json.ts';
export type { Factors, RankingOptions } from './ranker.ts';
export type { ReEmbedProgress, ReEmbedReport } from './re-embedding.ts';
export type { FoundMemories, MemoryHit, RecalledMemory, StandingMemory } from './recall.ts';
export {
  type AddedMemory,
  type ForgottenMemory,
  type PrunedMemories,
  type RecordPolicy,
  RecordService,
  type UpdatedMemory,
} from './record-service.ts';
export { type RankedText, rankTexts } from './search/rank-texts.ts';
export { alwaysHolds, inShares, orderStanding } from './standing.ts';
export type { MemoryStats } from './stats.ts';

/** External documents, notes in files, and results of swarms, as records of long-term memory. */
export type { IndexedFile } from './file-indexer.ts';
export type { Skipped } from './files/walk.ts';
export type { IndexOptions, IndexProgress, IndexReport } from './folder-indexer.ts';
export {
  type AddKnowledgeInput,
  addKnowledgeInput,
  nothingInput,
  type PathInput,
  pathInput,
  type SearchKnowledgeInput,
  type StoreKnowledgeInput,
  storeKnowledgeInput,
} from './inputs.ts';
export {
  type KnowledgeFile,
  type KnowledgeHit,
  type KnowledgeRoot,
  KnowledgeService,
  type RemovedKnowledge,
  type StoredKnowledge,
  threadOfText,
} from './knowledge-service.ts';
export type { LongTermHit, LongTermMemory } from './long-term-memory.ts';
export { NotesService } from './notes-service.ts';
export { Places } from './places.ts';
export {
  type SwarmResult,
  type SwarmResultHit,
  type SwarmResultInput,
  SwarmResults,
} from './swarm-results.ts';

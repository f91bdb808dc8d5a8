/** Long-term memory. */
export {
  type AddInput,
  addInput,
  idInput,
  type ListInput,
  listInput,
  type SearchInput,
  searchInput,
  type UndoInput,
  type UpdateInput,
  undoInput,
  updateInput,
} from './inputs.ts';
export type { Factors, MemoryHit, RankingOptions } from './ranker.ts';
export {
  type AddedMemory,
  type ForgottenMemory,
  type RecordPolicy,
  RecordService,
  type UpdatedMemory,
} from './record-service.ts';

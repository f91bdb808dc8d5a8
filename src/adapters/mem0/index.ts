/** The `Memory` class of mem0, on Keepsake: `keepsake/mem0`. */
export { Memory, type MemoryConfig } from './memory.ts';
export type {
  AddMemoryOptions,
  Entity,
  GetAllMemoryOptions,
  HistoryEntry,
  MemoryItem,
  Message,
  SearchFilters,
  SearchMemoryOptions,
  SearchResult,
  UpdateMemoryOptions,
} from './types.ts';

/** Every operation, by name. */
import { memoryAdd } from './memory-add.ts';
import { memoryForget } from './memory-forget.ts';
import { memoryGet } from './memory-get.ts';
import { memoryHistory } from './memory-history.ts';
import { memoryList } from './memory-list.ts';
import { memorySearch } from './memory-search.ts';
import { memoryUndo } from './memory-undo.ts';
import { memoryUpdate } from './memory-update.ts';

export const operations = {
  memoryAdd,
  memoryForget,
  memoryGet,
  memoryHistory,
  memoryList,
  memorySearch,
  memoryUndo,
  memoryUpdate,
} as const;

export type { Operation, Services } from './operation.ts';

/** Every operation, by name. */

import { agentsList } from './agents-list.ts';
import { archiveDiff } from './archive-diff.ts';
import { archiveList } from './archive-list.ts';
import { archiveRestore } from './archive-restore.ts';
import { archiveSearch } from './archive-search.ts';
import { archiveShow } from './archive-show.ts';
import { conversationCompact } from './conversation-compact.ts';
import { guardDelete } from './guard-delete.ts';
import { guardList } from './guard-list.ts';
import { guardRelease } from './guard-release.ts';
import { guardScan } from './guard-scan.ts';
import { guardShow } from './guard-show.ts';
import { knowledgeAdd } from './knowledge-add.ts';
import { knowledgeList } from './knowledge-list.ts';
import { knowledgeRefresh } from './knowledge-refresh.ts';
import { knowledgeRemove } from './knowledge-remove.ts';
import { knowledgeSearch } from './knowledge-search.ts';
import { knowledgeStore } from './knowledge-store.ts';
import { logExport } from './log-export.ts';
import { logImport } from './log-import.ts';
import { logSearch } from './log-search.ts';
import { logShow } from './log-show.ts';
import { memoryAdd } from './memory-add.ts';
import { memoryForget } from './memory-forget.ts';
import { memoryGet } from './memory-get.ts';
import { memoryHistory } from './memory-history.ts';
import { memoryList } from './memory-list.ts';
import { memoryPrune } from './memory-prune.ts';
import { memoryRecall } from './memory-recall.ts';
import { memorySearch } from './memory-search.ts';
import { memoryStanding } from './memory-standing.ts';
import { memoryUndo } from './memory-undo.ts';
import { memoryUpdate } from './memory-update.ts';
import { notesIndex } from './notes-index.ts';
import { sectionsAppend } from './sections-append.ts';
import { sectionsIndex } from './sections-index.ts';
import { sectionsList } from './sections-list.ts';
import { sectionsRemove } from './sections-remove.ts';
import { sectionsRetrieve } from './sections-retrieve.ts';
import { sectionsSave } from './sections-save.ts';

export const operations = {
  logShow,
  logSearch,
  logExport,
  logImport,
  conversationCompact,
  archiveList,
  archiveShow,
  archiveSearch,
  archiveDiff,
  archiveRestore,
  agentsList,
  guardDelete,
  guardList,
  guardRelease,
  guardScan,
  guardShow,
  memoryAdd,
  memoryForget,
  memoryGet,
  memoryHistory,
  memoryList,
  memoryPrune,
  memoryRecall,
  memorySearch,
  memoryStanding,
  memoryUndo,
  memoryUpdate,
  knowledgeAdd,
  knowledgeList,
  knowledgeRefresh,
  knowledgeRemove,
  knowledgeSearch,
  knowledgeStore,
  notesIndex,
  sectionsAppend,
  sectionsIndex,
  sectionsList,
  sectionsRemove,
  sectionsRetrieve,
  sectionsSave,
} as const;

export type { CallOptions, Operation, Services } from './operation.ts';

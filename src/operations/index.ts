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
import { logAdd } from './log-add.ts';
import { logExport } from './log-export.ts';
import { logImport } from './log-import.ts';
import { logList } from './log-list.ts';
import { logSearch } from './log-search.ts';
import { logShow } from './log-show.ts';
import { memoryAdd } from './memory-add.ts';
import { memoryForget } from './memory-forget.ts';
import { memoryGet } from './memory-get.ts';
import { memoryHistory } from './memory-history.ts';
import { memoryList } from './memory-list.ts';
import { memoryOutline } from './memory-outline.ts';
import { memoryPrune } from './memory-prune.ts';
import { memoryRecall } from './memory-recall.ts';
import { memorySearch } from './memory-search.ts';
import { memoryStanding } from './memory-standing.ts';
import { memoryStats } from './memory-stats.ts';
import { memoryUndo } from './memory-undo.ts';
import { memoryUpdate } from './memory-update.ts';
import { notesIndex } from './notes-index.ts';
import { sectionsAppend } from './sections-append.ts';
import { sectionsIndex } from './sections-index.ts';
import { sectionsList } from './sections-list.ts';
import { sectionsRemove } from './sections-remove.ts';
import { sectionsRetrieve } from './sections-retrieve.ts';
import { sectionsSave } from './sections-save.ts';
import { sessionWhy } from './session-why.ts';
import { memoryPromote, swarmTeach } from './swarm/lessons.ts';
import { swarmMessages, swarmNote, swarmPublish } from './swarm/messages.ts';
import {
  swarmAnswer,
  swarmCancel,
  swarmEnd,
  swarmGet,
  swarmKeep,
  swarmList,
  swarmStart,
  swarmTouch,
} from './swarm/runs.ts';
import {
  stateAppend,
  stateChanges,
  stateDelete,
  stateGet,
  stateIncrement,
  stateMerge,
  statePatch,
  stateSet,
} from './swarm/state.ts';

export const operations = {
  logList,
  logShow,
  logSearch,
  logExport,
  logAdd,
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
  memoryOutline,
  memoryPromote,
  memoryPrune,
  memoryRecall,
  memorySearch,
  memoryStanding,
  memoryStats,
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
  sessionWhy,
  stateAppend,
  stateChanges,
  stateDelete,
  stateGet,
  stateIncrement,
  stateMerge,
  statePatch,
  stateSet,
  swarmAnswer,
  swarmCancel,
  swarmEnd,
  swarmGet,
  swarmKeep,
  swarmList,
  swarmMessages,
  swarmNote,
  swarmPublish,
  swarmStart,
  swarmTeach,
  swarmTouch,
} as const;

export type { CallOptions, Operation, Services } from './operation.ts';

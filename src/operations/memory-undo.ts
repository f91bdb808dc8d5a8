/** Takes back the last change of a memory. */
import { undoInput } from '../records/index.ts';
import { defineOperation } from './operation.ts';

export const memoryUndo = defineOperation({
  name: 'memory.undo',
  summary: 'Takes back the last change of a memory.',
  description:
    'Brings back the version before the last change, or a given one, as a new version; nothing of the history is lost.',
  effect: 'write',
  input: undoInput,
  run: ({ records }, input, caller) => records.undo(input, caller),
});

/** Erases expired memories, on request only. */
import { pruneInput } from '../records/index.ts';
import { defineOperation } from './operation.ts';

export const memoryPrune = defineOperation({
  name: 'memory.prune',
  summary: 'Erases expired memories for good.',
  description:
    'Expired memories leave search by themselves but stay readable by id until they are erased here, on request. With dryRun it only says which ones.',
  effect: 'destroy',
  input: pruneInput,
  run: ({ records }, input, caller) => records.prune(input, caller),
});

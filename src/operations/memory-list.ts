/** Lists memories, newest first. */
import { listInput } from '../records/index.ts';
import { defineOperation } from './operation.ts';

export const memoryList = defineOperation({
  name: 'memory.list',
  summary: 'Lists memories, newest first.',
  description:
    'Lists memories, newest first, a page at a time, by category, source, scope, tag, time or state.',
  effect: 'read',
  input: listInput,
  run: ({ records }, input, caller) => records.list(input, caller),
});

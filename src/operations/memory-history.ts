/** Shows every version of a memory. */
import { idInput } from '../records/index.ts';
import { defineOperation } from './operation.ts';

export const memoryHistory = defineOperation({
  name: 'memory.history',
  summary: 'Shows every version of a memory.',
  description: 'Shows every version of a memory, oldest first, with who changed it and when.',
  effect: 'read',
  input: idInput,
  run: ({ records }, input, caller) => records.history(input, caller),
});

/** Erases a memory for good. */
import { idInput } from '../records/index.ts';
import { defineOperation } from './operation.ts';

export const memoryForget = defineOperation({
  name: 'memory.forget',
  summary: 'Erases a memory for good.',
  description:
    'Erases the content of a memory from every table, index and free page, with all of its versions, and says what was erased. Cannot be undone.',
  effect: 'destroy',
  input: idInput,
  run: ({ records }, input, caller) => records.forget(input, caller),
});

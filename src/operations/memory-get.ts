/** Shows one memory in full. */
import { idInput } from '../records/index.ts';
import { defineOperation } from './operation.ts';

export const memoryGet = defineOperation({
  name: 'memory.get',
  summary: 'Shows one memory in full.',
  description:
    'Shows one memory in full, also when it has expired. Counts as an access, which raises it in later searches.',
  effect: 'read',
  input: idInput,
  run: ({ records }, input, caller) => records.get(input, caller),
});

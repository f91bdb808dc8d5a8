/** Changes a memory. */
import { updateInput } from '../records/index.ts';
import { defineOperation } from './operation.ts';

export const memoryUpdate = defineOperation({
  name: 'memory.update',
  summary: 'Changes a memory.',
  description:
    'Changes the named fields of a memory. The version before stays in its history and can be brought back.',
  effect: 'write',
  input: updateInput,
  run: ({ records }, input, caller) => records.update(input, caller),
});

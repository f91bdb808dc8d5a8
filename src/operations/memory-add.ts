/** Stores a memory. */
import { addInput } from '../records/index.ts';
import { defineOperation } from './operation.ts';

export const memoryAdd = defineOperation({
  name: 'memory.add',
  summary: 'Stores a memory.',
  description:
    'Stores one durable memory and answers with it. The same text twice is stored once; beyond the cap the weakest facts leave search and are named.',
  effect: 'write',
  input: addInput,
  run: ({ records }, input, caller) => records.add(input, caller),
});

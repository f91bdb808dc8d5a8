/** Finds memories by what they say. */
import { askInput } from '../records/index.ts';
import { defineOperation } from './operation.ts';

export const memorySearch = defineOperation({
  name: 'memory.search',
  summary: 'Finds memories by what they say.',
  description:
    'Finds live memories for a question in plain words, best first. Each hit carries its relevance (0 to 1), its score, and the factors of that score.',
  effect: 'read',
  input: askInput,
  run: ({ records }, input, caller) => records.search(input, caller),
});

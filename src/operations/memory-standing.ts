/** What holds whatever the task is. */
import { standingInput } from '../records/index.ts';
import { defineOperation } from './operation.ts';

export const memoryStanding = defineOperation({
  name: 'memory.standing',
  summary: 'Shows what holds whatever the task is.',
  description:
    'Memories that no search has to find, because they always apply: pinned ones first, then instructions and preferences by confidence and recency, whole ones only, within a budget of characters.',
  effect: 'read',
  input: standingInput,
  run: ({ records }, input, caller) => records.standing(input, caller),
});

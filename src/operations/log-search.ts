/** Finds messages by what they say. */
import { logSearchInput } from '../conversation/index.ts';
import { defineOperation } from './operation.ts';

export const logSearch = defineOperation({
  name: 'log.search',
  summary: 'Finds messages by what they say.',
  description: 'Finds messages of an agent by what they say, best first, in everything that was ever said.',
  effect: 'read',
  input: logSearchInput,
  run: ({ conversations }, input, caller) => conversations.search(input, caller),
});

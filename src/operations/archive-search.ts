/** Finds messages in the archives. */
import { archiveSearchInput } from '../conversation/index.ts';
import { defineOperation } from './operation.ts';

export const archiveSearch = defineOperation({
  name: 'archive.search',
  summary: 'Finds messages in the archives.',
  description: 'Finds messages in all archives of an agent that have all words of the query.',
  effect: 'read',
  input: archiveSearchInput,
  run: ({ conversations }, input, caller) => conversations.archives(caller).search(input.query),
});

/** Lists the archives of an agent. */
import { archiveListInput } from '../conversation/index.ts';
import { defineOperation } from './operation.ts';

export const archiveList = defineOperation({
  name: 'archive.list',
  summary: 'Lists the archives of an agent.',
  description: 'Lists the raw transcripts that were saved before compactions, oldest first.',
  effect: 'read',
  input: archiveListInput,
  run: ({ conversations }, _input, caller) => conversations.archives(caller).list(),
});

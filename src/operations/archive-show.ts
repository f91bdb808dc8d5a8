/** Shows an archive. */
import { archiveShowInput } from '../conversation/index.ts';
import { defineOperation } from './operation.ts';

export const archiveShow = defineOperation({
  name: 'archive.show',
  summary: 'Shows an archive.',
  description: 'Shows the raw transcript that was saved before a compaction.',
  effect: 'read',
  input: archiveShowInput,
  run: async ({ conversations }, input, caller) => ({
    name: input.name,
    text: await conversations.archives(caller).read(input.name),
  }),
});

/** Brings an archive back. */
import { archiveShowInput } from '../conversation/index.ts';
import { defineOperation } from './operation.ts';

export const archiveRestore = defineOperation({
  name: 'archive.restore',
  summary: 'Brings an archive back.',
  description:
    'Makes an archived transcript the active MEMORY.md again; what is active now is archived first.',
  effect: 'write',
  input: archiveShowInput,
  run: ({ conversations }, input, caller) => conversations.archives(caller).restore(input.name),
});

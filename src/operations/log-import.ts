/** Imports a conversation. */
import { logImportInput } from '../conversation/index.ts';
import { defineOperation } from './operation.ts';

export const logImport = defineOperation({
  name: 'log.import',
  summary: 'Imports a conversation.',
  description:
    'Adds the messages of an export, of a MEMORY.md, or of a list of chat messages to the conversation of an agent, with their times.',
  effect: 'write',
  input: logImportInput,
  run: ({ conversations }, input, caller) => conversations.import(input, caller),
});

/** Adds a message to the conversation of an agent. */
import { logAddInput } from '../conversation/index.ts';
import { defineOperation } from './operation.ts';

export const logAdd = defineOperation({
  name: 'log.add',
  summary: 'Adds a message to the conversation of an agent.',
  description:
    'Adds one message to the conversation of an agent, in the log and in MEMORY.md, and answers with it once it is on the disk.',
  effect: 'write',
  input: logAddInput,
  run: ({ conversations }, input, caller) => conversations.add(input, caller),
});

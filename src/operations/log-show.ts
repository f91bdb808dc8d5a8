/** Shows the messages of an agent. */
import { logShowInput } from '../conversation/index.ts';
import { defineOperation } from './operation.ts';

export const logShow = defineOperation({
  name: 'log.show',
  summary: 'Shows the messages of an agent.',
  description:
    'Shows the newest messages of an agent, or the page before or after one of them, oldest first. The log keeps every message, also those that were compacted away.',
  effect: 'read',
  input: logShowInput,
  run: ({ conversations }, input, caller) => conversations.show(input, caller),
});

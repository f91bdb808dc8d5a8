/** Replaces a conversation by a summary. */
import { compactInput } from '../conversation/index.ts';
import { defineOperation } from './operation.ts';

export const conversationCompact = defineOperation({
  name: 'conversation.compact',
  summary: 'Replaces a conversation by a summary.',
  description:
    'Archives MEMORY.md and begins it anew with a summary: yours, or the most telling sentences of the conversation. The log and the archive keep everything.',
  effect: 'write',
  input: compactInput,
  run: ({ conversations }, input, caller) => conversations.compact(input, caller),
});

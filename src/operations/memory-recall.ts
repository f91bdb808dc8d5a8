/** What an agent should know before it begins a task. */
import { recallInput } from '../records/index.ts';
import { defineOperation } from './operation.ts';

export const memoryRecall = defineOperation({
  name: 'memory.recall',
  summary: 'Brings to mind what a task calls for.',
  description:
    'What to know before a task: standing memory (pinned, instructions, preferences), which is always there, and the memories that the task calls for, which filters narrow down; whole ones only, together within a budget of characters.',
  effect: 'read',
  input: recallInput,
  run: ({ records }, input, caller) => records.recall(input, caller),
});

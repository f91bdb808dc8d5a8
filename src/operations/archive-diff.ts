/** Compares archives. */
import { archiveDiffInput } from '../conversation/index.ts';
import { defineOperation } from './operation.ts';

export const archiveDiff = defineOperation({
  name: 'archive.diff',
  summary: 'Compares archives.',
  description:
    'Shows the lines that differ between two archives, or between an archive and the conversation as it is now.',
  effect: 'read',
  input: archiveDiffInput,
  run: ({ conversations }, input, caller) => conversations.diff(input.from, input.to, caller),
});

/** Indexes the notes of agents. */
import { nothingInput } from '../knowledge/index.ts';
import { defineOperation } from './operation.ts';

export const notesIndex = defineOperation({
  name: 'notes.index',
  summary: 'Indexes the notes that agents keep in files.',
  description:
    'Makes agents/<name>/notes/**/*.md searchable in the memory of the agent: of one agent, or of all when their owner asks. Only what changed is read into memory; notes that are gone are erased.',
  effect: 'write',
  input: nothingInput,
  run: ({ notes }, _input, caller, options) => notes.index(caller, options),
});

/** Brings knowledge up to date with the disk. */
import { nothingInput } from '../knowledge/index.ts';
import { defineOperation } from './operation.ts';

export const knowledgeRefresh = defineOperation({
  name: 'knowledge.refresh',
  summary: 'Brings everything that was added up to date.',
  description:
    'Looks again at every folder and file that was added: new and changed files are indexed, those that are gone are erased from memory. A folder that is not there at all is reported and keeps its chunks.',
  effect: 'write',
  input: nothingInput,
  run: ({ knowledge }, _input, caller, options) => knowledge.refresh(caller, options),
});

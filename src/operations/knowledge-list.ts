/** Lists the documents that are known. */
import { nothingInput } from '../knowledge/index.ts';
import { defineOperation } from './operation.ts';

export const knowledgeList = defineOperation({
  name: 'knowledge.list',
  summary: 'Lists the folders and files that were added.',
  description: 'Lists every folder or file that was added, with its files and the number of their chunks.',
  effect: 'read',
  input: nothingInput,
  run: ({ knowledge }, _input, caller) => knowledge.list(caller),
});

/** Erases documents from memory. */
import { pathInput } from '../knowledge/index.ts';
import { defineOperation } from './operation.ts';

export const knowledgeRemove = defineOperation({
  name: 'knowledge.remove',
  summary: 'Erases a folder or a file from memory.',
  description:
    'Erases what memory holds of a file, or of all files of a folder, for good. The files themselves stay.',
  effect: 'destroy',
  input: pathInput,
  run: ({ knowledge }, input, caller) => knowledge.remove(input, caller),
});

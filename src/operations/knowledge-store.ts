/** Stores a text as knowledge. */
import { storeKnowledgeInput } from '../knowledge/index.ts';
import { defineOperation } from './operation.ts';

export const knowledgeStore = defineOperation({
  name: 'knowledge.store',
  summary: 'Stores a text that is in no file.',
  description:
    'Stores a text as external knowledge, cut into chunks if it is long, and answers with the id of the first. Its url or title, if given as metadata, is cited.',
  effect: 'write',
  input: storeKnowledgeInput,
  run: ({ knowledge }, input, caller) => knowledge.store(input, caller),
});

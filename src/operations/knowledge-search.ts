/** Finds passages of documents. */
import { askKnowledgeInput } from '../knowledge/index.ts';
import { defineOperation } from './operation.ts';

export const knowledgeSearch = defineOperation({
  name: 'knowledge.search',
  summary: 'Finds passages of documents by what they say.',
  description:
    'Finds passages of external documents for a question in plain words, best first, each with its citation: file and lines, or page.',
  effect: 'read',
  input: askKnowledgeInput,
  run: ({ knowledge }, input, caller) => knowledge.search(input, caller),
});

/** Indexes external documents. */
import { addKnowledgeInput } from '../knowledge/index.ts';
import { defineOperation } from './operation.ts';

export const knowledgeAdd = defineOperation({
  name: 'knowledge.add',
  summary: 'Indexes a folder or a file of documents.',
  description:
    'Cuts the Markdown, text, HTML, PDF and code files of a folder into chunks that can be searched and cited. A second time, only what changed is read into memory, and what is gone from disk is erased. Hidden and git-ignored files are left out.',
  effect: 'write',
  input: addKnowledgeInput,
  run: ({ knowledge }, input, caller, options) => knowledge.add(input, caller, options),
});

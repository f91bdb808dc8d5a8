/** Shows one section. */
import { sectionInput } from '../sections/index.ts';
import { defineOperation } from './operation.ts';

export const sectionsRetrieve = defineOperation({
  name: 'sections.retrieve',
  summary: 'Shows one section.',
  description:
    'Shows the content of one named section of the curated memory. When there is none of that name, the answer lists those that exist.',
  effect: 'read',
  input: sectionInput,
  run: ({ sections }, input, caller) => sections.retrieve(input, caller),
});

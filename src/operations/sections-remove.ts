/** Removes a section. */
import { sectionInput } from '../sections/index.ts';
import { defineOperation } from './operation.ts';

export const sectionsRemove = defineOperation({
  name: 'sections.remove',
  summary: 'Removes a section.',
  description: 'Removes a named section of the curated memory with all it says. Cannot be undone.',
  effect: 'destroy',
  input: sectionInput,
  run: ({ sections }, input, caller) => sections.remove(input, caller),
});

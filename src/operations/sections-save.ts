/** Replaces a section. */
import { saveSectionInput } from '../sections/index.ts';
import { defineOperation } from './operation.ts';

export const sectionsSave = defineOperation({
  name: 'sections.save',
  summary: 'Replaces a section.',
  description:
    'Replaces the entire content of a named section of the curated memory, or creates it. Use it for what changed, and to rewrite a section that got too long.',
  effect: 'write',
  input: saveSectionInput,
  run: ({ sections }, input, caller) => sections.save(input, caller),
});

/** Adds to a section. */
import { appendSectionInput } from '../sections/index.ts';
import { defineOperation } from './operation.ts';

export const sectionsAppend = defineOperation({
  name: 'sections.append',
  summary: 'Adds to a section.',
  description:
    'Adds to the end of a named section of the curated memory, or creates it. Answers with a hint when the section has more than 50 lines and should be summarised.',
  effect: 'write',
  input: appendSectionInput,
  run: ({ sections }, input, caller) => sections.append(input, caller),
});

/** Lists the sections. */
import { noInput } from '../sections/index.ts';
import { defineOperation } from './operation.ts';

export const sectionsList = defineOperation({
  name: 'sections.list',
  summary: 'Lists the sections.',
  description:
    'Lists the sections of the curated memory in the order of the file, with the number of their lines.',
  effect: 'read',
  input: noInput,
  run: ({ sections }, _input, caller) => sections.list(caller),
});

/** Shows what the prompt says about sections. */
import { noInput } from '../sections/index.ts';
import { defineOperation } from './operation.ts';

export const sectionsIndex = defineOperation({
  name: 'sections.index',
  summary: 'Shows what the prompt says about sections.',
  description:
    'Shows the text by which the system prompt tells an agent which sections it has: names only, and nothing at all when there are none.',
  effect: 'read',
  input: noInput,
  run: ({ sections }, _input, caller) => sections.promptIndex(caller),
});

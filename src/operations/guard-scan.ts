/** Says what the guard thinks of a text. */
import { examine, scanInput } from '../guard/index.ts';
import { validate } from '../kernel/validate.ts';
import { defineOperation } from './operation.ts';

export const guardScan = defineOperation({
  name: 'guard.scan',
  summary: 'Says what the guard thinks of a text.',
  description:
    'Judges a text without storing it: whether it would be refused from this origin, what was found, and how much each finding weighs.',
  effect: 'read',
  input: scanInput,
  run: async (_services, input) => {
    const { text, origin } = validate(scanInput, input, 'guard.scan');
    return { origin, ...examine(text, origin) };
  },
});

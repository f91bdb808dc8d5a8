/** Shows one refused write in full. */
import { quarantineIdInput } from '../guard/index.ts';
import { defineOperation } from './operation.ts';

export const guardShow = defineOperation({
  name: 'guard.show',
  summary: 'Shows a refused write in full.',
  description: 'Shows the text of a refused write, where it came from, and why it was refused.',
  effect: 'read',
  input: quarantineIdInput,
  run: ({ quarantine }, input, caller) => quarantine.get(input, caller),
});

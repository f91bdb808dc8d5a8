/** Erases a refused write for good. */
import { quarantineIdInput } from '../guard/index.ts';
import { defineOperation } from './operation.ts';

export const guardDelete = defineOperation({
  name: 'guard.delete',
  summary: 'Erases a refused write for good.',
  description: 'Erases a refused write from the quarantine and from the disk. It cannot be brought back.',
  effect: 'destroy',
  input: quarantineIdInput,
  run: ({ quarantine }, input, caller) => quarantine.delete(input, caller),
});

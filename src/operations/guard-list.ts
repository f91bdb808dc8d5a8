/** Lists what the guard refused. */
import { listQuarantineInput } from '../guard/index.ts';
import { defineOperation } from './operation.ts';

export const guardList = defineOperation({
  name: 'guard.list',
  summary: 'Lists what the guard refused.',
  description:
    'Lists refused writes that wait for a decision, newest first. Those that were released are there on request.',
  effect: 'read',
  input: listQuarantineInput,
  run: ({ quarantine }, input, caller) => quarantine.list(input, caller),
});

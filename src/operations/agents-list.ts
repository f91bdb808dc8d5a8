/** Lists the agents of a workspace. */
import { z } from 'zod';
import { KeepsakeError } from '../kernel/errors.ts';
import { defineOperation } from './operation.ts';

export const agentsList = defineOperation({
  name: 'agents.list',
  summary: 'Lists the agents that remember something.',
  description: 'Lists every agent that has stored a memory, by name, with the number of its live facts.',
  effect: 'read',
  input: z.strictObject({}),
  run: ({ storage }, _input, { viewer }) => {
    if (viewer.role === 'worker' || viewer.role === 'reader') {
      throw new KeepsakeError('FORBIDDEN', `A ${viewer.role} may not list the agents.`, {
        hint: 'The owner of the workspace and a lead can.',
      });
    }
    return storage.records.agents();
  },
});

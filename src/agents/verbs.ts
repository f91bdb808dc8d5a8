/** The verbs about agents themselves. */

import { KeepsakeError } from '../kernel/errors.ts';
import { count, noInput, text, time } from '../kernel/schema-parts.ts';
import { defineVerb } from '../kernel/verb.ts';
import { z } from '../kernel/zod.ts';
import type { Storage } from '../ports/storage.ts';

export interface AgentListServices {
  readonly storage: Storage;
}

export const agentsList = defineVerb({
  name: 'agents.list',
  summary: 'Lists the agents that have memories.',
  description: 'Lists every agent that has stored a memory, by name, with its number of live facts.',
  effect: 'read',
  role: 'lead',
  input: noInput,
  output: z.array(z.strictObject({ name: text, createdAt: time, facts: count })),
  run: async ({ storage }: AgentListServices, _input, { viewer }) => {
    if (viewer.role === 'worker' || viewer.role === 'reader') {
      throw new KeepsakeError('FORBIDDEN', `The role ${viewer.role} may not list the agents.`, {
        hint: 'Only the owner of the workspace and leads may.',
      });
    }
    return storage.records.agents();
  },
  sdk: { ownerOnly: true },
  rest: [{ route: 'GET /v1/agents' }],
  cli: {
    ...{ command: 'agents', nothing: [], without: ['agent'] },
    examples: ['keepsake agents', 'keepsake agents --json'],
  },
});

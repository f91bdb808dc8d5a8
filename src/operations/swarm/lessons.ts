/** What a lead passes on, and what is shared with the swarm. */
import { z } from 'zod';
import { validate } from '../../kernel/validate.ts';
import { idInput } from '../../records/index.ts';
import { injectLearning, learningInput } from '../../working/index.ts';
import { defineOperation } from '../operation.ts';

/** The tool of agents overlooks what a model adds; a program is told. */
const teachInput = z.strictObject(learningInput.shape);

export const swarmTeach = defineOperation({
  name: 'swarm.teach',
  summary: 'Passes a lesson on to the swarm.',
  description:
    'For leads: stores a lesson (mistake-pattern, best-practice, codebase-knowledge or preference) that every agent of the swarm recalls, or one worker alone.',
  effect: 'write',
  input: teachInput,
  run: ({ records }, input, caller) =>
    injectLearning(records, validate(teachInput, input, 'swarm.teach'), caller),
});

export const memoryPromote = defineOperation({
  name: 'memory.promote',
  summary: 'Shares a memory with the swarm.',
  description: 'Makes a private memory one that all agents see. Only its owner can.',
  effect: 'write',
  input: idInput,
  run: ({ records }, { id }, caller) => records.update({ id, scope: 'swarm' }, caller),
});

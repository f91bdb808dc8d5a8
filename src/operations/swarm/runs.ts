/** Runs of swarms: started, looked at, kept alive, and ended. */
import { swarmInputs } from '../../working/index.ts';
import { defineOperation } from '../operation.ts';

export const swarmList = defineOperation({
  name: 'swarm.list',
  summary: 'Lists runs of swarms, newest first.',
  description:
    'Lists runs of swarms, newest first, with status, participants, cost and result. Agents see the runs that they are part of.',
  effect: 'read',
  input: swarmInputs.listRunsInput,
  run: ({ swarms }, input, caller) => swarms.list(input, caller),
});

export const swarmGet = defineOperation({
  name: 'swarm.get',
  summary: 'Shows one run.',
  description: 'Shows one run: its task, status, participants, what it cost, and the id of its result.',
  effect: 'read',
  input: swarmInputs.runIdInput,
  run: ({ swarms }, input, caller) => swarms.get(input, caller),
});

export const swarmStart = defineOperation({
  name: 'swarm.start',
  summary: 'Begins a run.',
  description:
    'Begins a run with a working memory of its own, and answers with it and with what earlier runs found about the task. The agents run in the program that calls; it must end the run.',
  effect: 'write',
  input: swarmInputs.startRunInput,
  run: ({ swarms }, input, caller) => swarms.start(input, caller),
});

export const swarmAnswer = defineOperation({
  name: 'swarm.answer',
  summary: 'Shows what a swarm answered to the same task before.',
  description:
    'Shows the latest answer of a swarm to the same task, or to one that means the same, with the run that it is from; null when there is none.',
  effect: 'read',
  input: swarmInputs.answerInput,
  run: ({ swarms }, input, caller) => swarms.answer(input, caller),
});

export const swarmTouch = defineOperation({
  name: 'swarm.touch',
  summary: 'Gives a sign of life of a run.',
  description:
    'Keeps a run from being taken for dead, which happens a day after its last sign of life, and notes what it has cost so far. Tells whether it is still running.',
  effect: 'write',
  input: swarmInputs.touchRunInput,
  run: ({ swarms }, input, caller) => swarms.touch(input, caller),
});

export const swarmKeep = defineOperation({
  name: 'swarm.keep',
  summary: 'Stores what a run came to.',
  description:
    'Stores the final output of a run in the collection swarm-memory, with date, type, cost and model, where later runs find it.',
  effect: 'write',
  input: swarmInputs.keepResultInput,
  run: ({ swarms }, input, caller) => swarms.keep(input, caller),
});

export const swarmEnd = defineOperation({
  name: 'swarm.end',
  summary: 'Ends a run.',
  description:
    'Ends a run as completed, failed or cancelled; the first end counts. Its working memory is gone then.',
  effect: 'destroy',
  input: swarmInputs.endRunInput,
  run: ({ swarms }, input, caller) => swarms.end(input, caller),
});

export const swarmCancel = defineOperation({
  name: 'swarm.cancel',
  summary: 'Stops a run, wherever it is under way.',
  description:
    'Stops a run, also when another process or machine works on it: its sessions are ended there. What was said until then is kept; the working memory is gone.',
  effect: 'destroy',
  input: swarmInputs.cancelRunInput,
  run: ({ swarms }, input, caller) => swarms.cancel(input, caller),
});

/** The message bus of a run: what its participants say. */
import { swarmInputs } from '../../working/index.ts';
import { defineOperation } from '../operation.ts';

export const swarmMessages = defineOperation({
  name: 'swarm.messages',
  summary: 'Shows what was said in a run.',
  description:
    'Shows every message of every participant of a run in one order, oldest first, while it goes on and afterwards.',
  effect: 'read',
  input: swarmInputs.runMessagesInput,
  run: ({ swarms }, input, caller) => swarms.messages(input, caller),
});

export const swarmPublish = defineOperation({
  name: 'swarm.publish',
  summary: 'Puts a message on the bus of a run.',
  description: 'Puts a message of the calling participant on the bus of a run.',
  effect: 'write',
  input: swarmInputs.publishInput,
  run: ({ swarms }, input, caller) => swarms.publish(input, caller),
});

export const swarmNote = defineOperation({
  name: 'swarm.note',
  summary: 'Notes that a participant is done with a prompt.',
  description: 'Tells observers that the calling participant has answered, or why it has not.',
  effect: 'write',
  input: swarmInputs.noteInput,
  run: ({ swarms }, input, caller) => swarms.note(input, caller),
});

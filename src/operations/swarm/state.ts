/** The working memory of a run: one JSON document, every change of which is atomic and makes a new version. */
import { defined } from '../../kernel/defined.ts';
import { validate } from '../../kernel/validate.ts';
import { type PatchOperation, swarmInputs } from '../../working/index.ts';
import { defineOperation } from '../operation.ts';

const when = ({ ifVersion }: { readonly ifVersion?: number | undefined }) => defined({ ifVersion });

export const stateGet = defineOperation({
  name: 'state.get',
  summary: 'Shows the working memory of a run.',
  description: 'Shows the working memory of a run, or one part of it, with its version.',
  effect: 'read',
  input: swarmInputs.stateGetInput,
  run: async ({ swarms }, input, caller) => {
    const { id, path } = validate(swarmInputs.stateGetInput, input, 'state.get');
    return (await swarms.state(id, caller)).look(path);
  },
});

export const stateSet = defineOperation({
  name: 'state.set',
  summary: 'Puts a value into the working memory.',
  description:
    'Puts a value at a path, in place of what was there; objects that are missing on the way are made.',
  effect: 'write',
  input: swarmInputs.stateSetInput,
  run: async ({ swarms }, input, caller) => {
    const given = validate(swarmInputs.stateSetInput, input, 'state.set');
    return (await swarms.state(given.id, caller)).set(given.path, given.value, when(given));
  },
});

export const stateMerge = defineOperation({
  name: 'state.merge',
  summary: 'Merges an object into the working memory.',
  description:
    'Merges an object into the document, or into what is at a path (RFC 7396): null removes a key.',
  effect: 'write',
  input: swarmInputs.stateMergeInput,
  run: async ({ swarms }, input, caller) => {
    const given = validate(swarmInputs.stateMergeInput, input, 'state.merge');
    const { path } = given;
    return (await swarms.state(given.id, caller)).merge(given.value, { path, ...when(given) });
  },
});

export const statePatch = defineOperation({
  name: 'state.patch',
  summary: 'Applies a JSON Patch to the working memory.',
  description: 'Applies a JSON Patch (RFC 6902): all of its operations, or none.',
  effect: 'write',
  input: swarmInputs.statePatchInput,
  run: async ({ swarms }, input, caller) => {
    const given = validate(swarmInputs.statePatchInput, input, 'state.patch');
    const patch = given.operations as PatchOperation[];
    return (await swarms.state(given.id, caller)).patch(patch, when(given));
  },
});

export const stateAppend = defineOperation({
  name: 'state.append',
  summary: 'Appends to a list in the working memory.',
  description:
    'Adds an entry to the end of a list, which is made if it is missing. Those who append at once lose nothing.',
  effect: 'write',
  input: swarmInputs.stateAppendInput,
  run: async ({ swarms }, input, caller) => {
    const given = validate(swarmInputs.stateAppendInput, input, 'state.append');
    return (await swarms.state(given.id, caller)).append(given.path, given.value, when(given));
  },
});

export const stateIncrement = defineOperation({
  name: 'state.increment',
  summary: 'Adds to a number in the working memory.',
  description: 'Adds to a number, which begins at 0.',
  effect: 'write',
  input: swarmInputs.stateIncrementInput,
  run: async ({ swarms }, input, caller) => {
    const given = validate(swarmInputs.stateIncrementInput, input, 'state.increment');
    return (await swarms.state(given.id, caller)).increment(given.path, given.by, when(given));
  },
});

export const stateDelete = defineOperation({
  name: 'state.delete',
  summary: 'Removes a part of the working memory.',
  description: 'Removes what is at a path; nothing happens where nothing is.',
  effect: 'write',
  input: swarmInputs.stateDeleteInput,
  run: async ({ swarms }, input, caller) => {
    const given = validate(swarmInputs.stateDeleteInput, input, 'state.delete');
    return (await swarms.state(given.id, caller)).delete(given.path, when(given));
  },
});

export const stateChanges = defineOperation({
  name: 'state.changes',
  summary: 'Shows who changed what in the working memory, and when.',
  description: 'Shows the changes of the working memory of a run, oldest first: who, what, when.',
  effect: 'read',
  input: swarmInputs.stateChangesInput,
  run: async ({ swarms }, input, caller) => {
    const { id, ...query } = validate(swarmInputs.stateChangesInput, input, 'state.changes');
    return (await swarms.state(id, caller)).changes(query);
  },
});

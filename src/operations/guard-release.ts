/** Lets a refused write through, on the word of a person. */
import { type Consent, quarantineIdInput } from '../guard/index.ts';
import type { Caller } from '../kernel/caller.ts';
import type { QuarantineEntry } from '../ports/quarantine-store.ts';
import type { AddInput, UpdateInput } from '../records/index.ts';
import type { AppendSectionInput, SaveSectionInput } from '../sections/index.ts';
import type { PatchOperation } from '../working/index.ts';
import { defineOperation, type Services } from './operation.ts';

/** Does the write again as it was asked for; every verb checks its input once more. Answers with what came of it. */
async function repeat(services: Services, entry: QuarantineEntry, caller: Caller): Promise<string> {
  const { records, sections } = services;
  const consent: Consent = { quarantineId: entry.id };
  const input: unknown = entry.input;
  switch (entry.verb) {
    case 'memory.add':
      return (await records.add(input as AddInput, caller, consent)).id;
    case 'memory.update':
      return (await records.update(input as UpdateInput, caller, consent)).id;
    case 'sections.save':
      return (await sections.save(input as SaveSectionInput, caller, consent)).section;
    case 'sections.append':
      return (await sections.append(input as AppendSectionInput, caller, consent)).section;
    default:
      return repeatOnState(services, entry);
  }
}

/** The state is there while its run goes on; afterwards there is nothing to write to, which is told. */
async function repeatOnState({ swarms }: Services, { verb, agent, input }: QuarantineEntry): Promise<string> {
  const { run, path, value } = input as { run: string; path: string; value: unknown };
  const state = swarms.released(run, agent);
  const changes: Readonly<Record<string, () => Promise<{ version: number }>>> = {
    'state.set': () => state.set(path, value),
    'state.merge': () => state.merge(value, { path }),
    'state.patch': () => state.patch(value as PatchOperation[]),
    'state.append': () => state.append(path, value),
  };
  const { version } = await changes[verb]!();
  return `${run} version ${version}`;
}

export const guardRelease = defineOperation({
  name: 'guard.release',
  summary: 'Lets a refused write through.',
  description:
    'Stores a refused write as it was asked for. Who released it is remembered, and its text leaves the quarantine.',
  effect: 'write',
  input: quarantineIdInput,
  run: (services, input, caller) =>
    services.quarantine.release(input, caller, (entry, writer) => repeat(services, entry, writer)),
});

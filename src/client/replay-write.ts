/** Repeats a write that the guard refused, once a person has released it. */
import type { Consent } from '../guard/index.ts';
import type { Caller } from '../kernel/caller.ts';
import type { QuarantineEntry } from '../ports/quarantine-store.ts';
import type { AddInput, RecordService, UpdateInput } from '../records/index.ts';
import type { AppendSectionInput, SaveSectionInput, SectionsService } from '../sections/index.ts';
import type { PatchOperation, SwarmService } from '../working/index.ts';

export interface ReplayServices {
  readonly records: RecordService;
  readonly sections: SectionsService;
  readonly swarms: SwarmService;
}

/** Resolves to the id of the memory, the name of the section, or the version of the state that it became. */
export async function replayWrite(
  services: ReplayServices,
  entry: QuarantineEntry,
  caller: Caller,
): Promise<string> {
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
      return replayOnState(services, entry);
  }
}

/** The state exists while its run continues; afterwards this fails with the reason. */
async function replayOnState(
  { swarms }: ReplayServices,
  { verb, agent, input }: QuarantineEntry,
): Promise<string> {
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

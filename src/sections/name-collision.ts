/** Two agents whose names differ in case only would share a file on some file systems; the second one is refused. */
import { basename, dirname } from 'node:path';
import { KeepsakeError } from '../kernel/errors.ts';
import { foldAgentName } from '../kernel/names.ts';
import type { Files } from '../ports/files.ts';

export async function refuseNameCollision(files: Files, file: string, agent: string): Promise<void> {
  const wanted = basename(file);
  // A folder that is missing or may not be read is for whoever opens the file to complain about.
  const present = await files.readdir(dirname(file)).catch((): string[] => []);
  if (present.includes(wanted)) return;
  const twin = present.find((name) => foldAgentName(name) === foldAgentName(wanted));
  if (twin === undefined) return;
  const existing = twin.slice(0, twin.length - (wanted.length - agent.length));
  throw new KeepsakeError(
    'INVALID_NAME',
    `There is an agent "${existing}"; "${agent}" would share its sections on some file systems.`,
    { hint: `Use "${existing}", or choose a name that differs in more than upper and lower case.` },
  );
}

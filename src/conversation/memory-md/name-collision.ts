/** Refuses an agent whose name differs from an existing one in case only, because both would share a folder on some file systems. */
import { basename, dirname } from 'node:path';
import { nodeFiles } from '../../documents/index.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import { foldAgentName } from '../../kernel/names.ts';
import type { Files } from '../../ports/files.ts';

export async function refuseNameCollision(agentFolder: string, files: Files = nodeFiles): Promise<void> {
  const agent = basename(agentFolder);
  // A folder that is missing or unreadable is reported when the file is opened.
  const present = await files.readdir(dirname(agentFolder)).catch((): string[] => []);
  if (present.includes(agent)) return;
  const twin = present.find((name) => foldAgentName(name) === foldAgentName(agent));
  if (twin === undefined) return;
  throw new KeepsakeError(
    'INVALID_NAME',
    `There is an agent "${twin}"; "${agent}" would share its folder on some file systems.`,
    { hint: `Use "${twin}", or choose a name that differs in more than upper and lower case.` },
  );
}

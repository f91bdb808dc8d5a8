/** Says in one sentence that Node is too old, before anything fails for it; imported first, for its effect. */
import { KeepsakeError } from './errors.ts';

/** The same as "engines" in package.json. */
const LEAST = '22.13';

export function checkNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = LEAST.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  throw new KeepsakeError(
    'UNSUPPORTED',
    `Keepsake needs Node ${LEAST} or newer, and this is Node ${version}.`,
    {
      hint: 'Install a newer Node, for example with "npm install node@24" in the project, and start it with "npx node".',
    },
  );
}

checkNode(process.versions.node);

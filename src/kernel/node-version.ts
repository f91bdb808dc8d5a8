/** Reports an old version of Node before anything else fails; imported first, for its side effect. */
import { KeepsakeError } from './errors.ts';

/** The same as "engines" in package.json. */
const LEAST = '22.14';
/** Versions of Node 23 before this are older than 22.14 in what matters: compiled modules crash them. */
const LEAST_OF_23 = 6;

export function checkNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = LEAST.split('.').map(Number);
  const isNewEnough = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  if (isNewEnough && !(major === 23 && minor < LEAST_OF_23)) return;
  throw new KeepsakeError(
    'UNSUPPORTED',
    `Keepsake needs Node ${LEAST} or newer, and this is Node ${version}.`,
    {
      hint: 'Install a newer Node, for example with "npm install node@24" in the project, and start it with "npx node".',
    },
  );
}

checkNode(process.versions.node);

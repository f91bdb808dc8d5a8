// Brings node_modules to what package-lock.json says, and touches nothing when it is there already.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { requireNode, root, runStep, say } from './run.mjs';

/** @typedef {{ version?: string, optional?: boolean, os?: string[], cpu?: string[] }} LockedPackage */
/** @typedef {{ packages?: Record<string, LockedPackage> }} Lockfile */

export function ensureInstalled() {
  const reason = whyInstall(root);
  if (reason !== undefined) {
    say(`Installing the packages, because ${reason}. This takes about half a minute.`);
    // Without npm's record an install was interrupted, and half a package looks to npm like a whole one.
    if (!existsSync(recordOf(root))) rmSync(join(root, 'node_modules'), { recursive: true, force: true });
    // Not "npm ci": it refuses a lockfile without the binaries of every other platform, and a registry
    // that mirrors one platform only cannot make such a lockfile. This takes the same versions and checksums.
    runStep('npm', ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
      failure: 'The packages could not be installed; the network may be down',
      byHand: 'npm install --no-save --include=dev',
      env: environmentOfNpm(),
    });
  }
  requireNode();
}

/** Where npm writes down what it has installed, as the last step of an install. @param {string} folder */
function recordOf(folder) {
  return join(folder, 'node_modules/.package-lock.json');
}

/**
 * Compares the lockfile with npm's own record of what it installed, which also holds after an install by hand.
 * Returns why an install is needed, or undefined.
 * @param {string} folder
 */
export function whyInstall(folder) {
  if (!existsSync(recordOf(folder))) return 'they are not installed yet';
  const wantedFile = join(folder, 'package-lock.json');
  if (!existsSync(wantedFile)) return undefined;
  const installed = readLockfile(recordOf(folder));
  for (const [path, { version, optional, os, cpu }] of Object.entries(readLockfile(wantedFile))) {
    if (path === '') continue;
    const present = installed[path];
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (present === undefined) {
      // Packages for other platforms are in the lockfile and rightly not on the disk.
      if (optional || os || cpu) continue;
      return `${name} ${version} is missing`;
    }
    if (present.version !== version) return `${name} ${version} is wanted and ${present.version} is there`;
  }
  return undefined;
}

/** @param {string} file @returns {Record<string, LockedPackage>} */
function readLockfile(file) {
  return /** @type {Lockfile} */ (JSON.parse(readFileSync(file, 'utf8'))).packages ?? {};
}

/** npm replaces node_modules, so it must not itself run on the Node that lies in there. */
function environmentOfNpm() {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(join(root, 'node_modules')))
    .join(delimiter);
  return { ...process.env, PATH: path };
}

// Brings node_modules to what package-lock.json says, and touches nothing when it is there already.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pinnedNode, requireNode, root, runStep, StepFailed, say } from './run.mjs';

/** @typedef {{ version?: string, optional?: boolean, os?: string[], cpu?: string[] }} LockedPackage */
/** @typedef {{ packages?: Record<string, LockedPackage> }} Lockfile */

/** Fewer and shorter attempts than npm makes by itself, which would wait five minutes for a dead connection. */
const IMPATIENT = [
  '--fetch-retries=2',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
  '--fetch-timeout=15000',
];

export function ensureInstalled() {
  const reason = whyInstall(root);
  if (reason !== undefined) {
    say(`Installing the packages, because ${reason}. This takes about half a minute.`);
    installPackages();
  }
  const missing = whyNode(root);
  if (missing !== undefined) {
    say(`Installing Node, because ${missing}.`);
    installNode();
  }
  requireNode();
}

/** Frameworks whose peer dependencies contradict each other, or that are too large for everybody; their tests live there. */
const FRAMEWORKS = join(root, 'test/frameworks');

export function ensureFrameworks() {
  const reason = whyInstall(FRAMEWORKS);
  if (reason === undefined) return;
  say(`Installing the frameworks that adapters are tested against, because ${reason}.`);
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', FRAMEWORKS];
  runNpm(['install', ...flags], 'The frameworks could not be installed');
}

function installPackages() {
  // Without npm's record an install was interrupted, and half a package looks to npm like a whole one.
  if (!existsSync(recordOf(root))) rmSync(join(root, 'node_modules'), { recursive: true, force: true });
  // Not "npm ci": it refuses a lockfile without the binaries of every other platform, and a registry
  // that mirrors one platform only cannot make such a lockfile. This takes the same versions and checksums.
  // No scripts: npm 10 would compile better-sqlite3, which brings its binary along, and need Python for it.
  runNpm(
    ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--ignore-scripts'],
    'The packages could not be installed',
  );
}

/** The package "node" is the only one whose install script does something: it fetches the binary of this platform. */
function installNode() {
  const folder = join(root, 'node_modules/node');
  // What an interrupted attempt left looks to npm like a whole package.
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  rmSync(join(folder, 'bin'), { recursive: true, force: true });
  runNpm(['rebuild', 'node', '--ignore-scripts=false'], 'The pinned Node could not be installed');
  const { status, error } = spawnSync(pinnedNode(root), ['--version']);
  if (status === 0) return;
  rmSync(join(folder, 'bin'), { recursive: true, force: true });
  throw new StepFailed(
    `The pinned Node was installed and does not start (${error?.message ?? `exit code ${status}`}).`,
    'npm rebuild node --ignore-scripts=false',
  );
}

/** @param {string[]} args @param {string} failure */
function runNpm(args, failure) {
  const env = environmentOfNpm();
  // Without a network npm would try every package in vain, for minutes; its cache may still have them all.
  const flags = [...IMPATIENT, '--loglevel=error', ...(isRegistryReachable(env) ? [] : ['--offline'])];
  runStep('npm', [...args, ...flags], {
    failure,
    byHand: ['npm', ...args].join(' '),
    env,
    explainOutput: explainNpm,
  });
}

const LONGEST_PING = 20_000;

/** @type {boolean | undefined} */
let reachable;

/** Asks npm itself, because it knows of registries and proxies; any answer will do. @param {NodeJS.ProcessEnv} env */
function isRegistryReachable(env) {
  if (reachable === undefined) {
    const args = ['ping', ...IMPATIENT, '--fetch-retries=1', '--loglevel=error'];
    const { stderr, error } = spawnSync('npm', args, {
      cwd: root,
      env,
      encoding: 'utf8',
      shell: process.platform === 'win32',
      // A server that takes the connection and never answers is none.
      timeout: LONGEST_PING,
    });
    // Any other failure is for the install to meet and to explain.
    reachable = error === undefined && !UNREACHABLE.test(stderr ?? '');
  }
  return reachable;
}

/** The codes of a network that fails, and of the cache that lacks what was not asked of the network. */
const UNREACHABLE =
  /\b(?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;
const MOST_LINES = 15;

/** What npm said on stderr, as the reason of a failure. @param {string} stderr */
export function explainNpm(stderr) {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const said = lines.slice(-MOST_LINES).map((line) => `  ${line}`);
  const reason = UNREACHABLE.test(stderr)
    ? 'The registry of npm could not be reached: check the network, or a proxy, and try again.'
    : undefined;
  return [
    ...(reason === undefined ? [] : [reason]),
    ...(said.length === 0 ? [] : ['npm said:', ...said]),
  ].join('\n');
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

/**
 * Why the Node that the lockfile pins has to be fetched, or undefined. npm's record says nothing about it: the
 * binary comes from an install script, which may have been interrupted or forbidden.
 * @param {string} folder
 */
export function whyNode(folder) {
  const wanted = join(folder, 'package-lock.json');
  if (!existsSync(wanted) || readLockfile(wanted)['node_modules/node'] === undefined) return undefined;
  return existsSync(pinnedNode(folder)) ? undefined : 'the pinned one is not there yet';
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

// The programs that tests need from the operating system: one table, and the step that installs what is missing.
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { runStep, StepFailed, say } from './run.mjs';

/**
 * Only what a test uses is listed.
 * @type {readonly { tool: string, aptPackage: string, why: string }[]}
 */
const TOOLS = [
  { tool: 'setpriv', aptPackage: 'util-linux', why: 'permission tests drop root, which ignores file modes' },
  { tool: 'prlimit', aptPackage: 'util-linux', why: 'disk-full tests limit the size of a file' },
  { tool: 'unshare', aptPackage: 'util-linux', why: 'disk tests mount file systems that nobody else sees' },
  { tool: 'strace', aptPackage: 'strace', why: 'fault tests watch and delay single system calls' },
  { tool: 'cc', aptPackage: 'build-essential', why: 'fault tests let single calls of the disk fail' },
  { tool: 'script', aptPackage: 'bsdutils', why: 'command line tests need a terminal' },
  { tool: 'fish', aptPackage: 'fish', why: 'completions are tested in the shell itself' },
  { tool: 'zsh', aptPackage: 'zsh', why: 'completions are tested in the shell itself' },
  { tool: 'mount', aptPackage: 'mount', why: 'disk tests mount file systems that nobody else sees' },
  { tool: 'curl', aptPackage: 'curl', why: 'pages of the documentation are followed, and some use it' },
  { tool: 'openssl', aptPackage: 'openssl', why: 'Redis over TLS is tested with certificates made for it' },
  {
    tool: 'redis-server',
    aptPackage: 'redis-server',
    why: 'the Redis driver is tested against a real server',
  },
  {
    tool: '/usr/lib/postgresql/15/bin/postgres',
    aptPackage: 'postgresql-15',
    why: 'the Postgres driver is tested against a real server',
  },
  {
    tool: '/usr/include/postgresql/15/server/postgres.h',
    aptPackage: 'postgresql-server-dev-15',
    why: 'pgvector is built for that server',
  },
  { tool: 'make', aptPackage: 'build-essential', why: 'pgvector is built for that server' },
  {
    tool: 'systemd-analyze',
    aptPackage: 'systemd',
    why: 'the unit of examples/deployment is checked by systemd itself',
  },
  { tool: 'chromium', aptPackage: 'chromium', why: 'the inspector is tested in a real browser' },
];

export function ensureTools() {
  const missing = TOOLS.filter(({ tool }) => !isOnPath(tool));
  if (missing.length === 0) return;
  for (const { tool, aptPackage, why } of missing) {
    say(`Missing ${tool}: ${why}. Debian's package ${aptPackage} has it.`);
  }
  const packages = [...new Set(missing.map(({ aptPackage }) => aptPackage))];
  const byHand = `sudo apt-get update && sudo apt-get install -y ${packages.join(' ')}`;
  if (!isOnPath('apt-get')) {
    throw new StepFailed(
      'This machine has no apt-get, so these programs cannot be installed for you.',
      byHand,
    );
  }
  installWithApt(packages, byHand);
  const stillMissing = missing.filter(({ tool }) => !isOnPath(tool)).map(({ tool }) => tool);
  if (stillMissing.length > 0) {
    throw new StepFailed(
      `apt-get ran, and yet ${stillMissing.join(' and ')} cannot be found on the PATH.`,
      byHand,
    );
  }
}

/** @param {string[]} packages @param {string} byHand */
function installWithApt(packages, byHand) {
  say(`Installing ${packages.join(', ')} with apt-get.`);
  const isRoot = process.getuid?.() === 0;
  const failure = 'apt-get could not install them';
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  /** @param {string[]} args */
  const apt = (args) => {
    if (isRoot) runStep('apt-get', args, { failure, byHand, env });
    else runStep('sudo', ['-n', 'apt-get', ...args], { failure, byHand, env });
  };
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  try {
    apt(install);
  } catch {
    // The package lists of a fresh machine are empty.
    apt(['update']);
    apt(install);
  }
}

/** What has no place on the path is named by its own. @param {string} tool */
function isOnPath(tool) {
  if (isAbsolute(tool)) return existsSync(tool);
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    const file = join(folder, tool);
    if (!existsSync(file)) return false;
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

// Runs the commands of the set-up scripts; needs Node 20 and nothing installed, because it is what installs.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** The oldest Node that runs the code, as package.json tells npm. @type {string} */
const required = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.replace('>=', '');

/** A step of the set-up that did not work, with the command that a person can try by hand. */
export class StepFailed extends Error {
  /** @param {string} message @param {string} byHand */
  constructor(message, byHand) {
    super(message);
    this.byHand = byHand;
  }
}

/** @param {string} sentence */
export function say(sentence) {
  process.stdout.write(`${sentence}\n`);
}

/** @param {unknown} error */
export function explain(error) {
  if (error instanceof StepFailed) {
    process.stderr.write(`\n${error.message}\nTo try it by hand: ${error.byHand}\n`);
  } else {
    process.stderr.write(`\n${error instanceof Error ? error.stack : String(error)}\n`);
  }
}

/** Where the Node lies that the lockfile pins. @param {string} folder */
export function pinnedNode(folder) {
  return join(folder, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** The Node that runs the code: the one pinned in node_modules, else this one when it is new enough. */
function findNode() {
  const pinned = pinnedNode(root);
  if (existsSync(pinned)) return pinned;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = required.split('.').map(Number);
  const isNewEnough = major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
  return isNewEnough ? process.execPath : undefined;
}

export function requireNode() {
  const node = findNode();
  if (node !== undefined) return node;
  throw new StepFailed(
    `The pinned Node is missing from node_modules, and this Node (${process.versions.node}) is older than ${required}.`,
    'npm rebuild node --ignore-scripts=false',
  );
}

/** The environment in which `node` and every tool mean those of this repository. */
function toolEnvironment() {
  return { ...process.env, PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}` };
}

/**
 * Runs a command to its end with its output on the terminal. With `explainOutput`, what it writes to stderr is kept
 * back, and when it fails becomes part of the message.
 * @param {string} command
 * @param {string[]} args
 * @param {{ failure: string, byHand: string, env?: NodeJS.ProcessEnv, explainOutput?: (stderr: string) => string }} options
 */
export function runStep(command, args, { failure, byHand, env = toolEnvironment(), explainOutput }) {
  // npm is a batch file on Windows, which only a shell can start.
  const shell = process.platform === 'win32' && command === 'npm';
  const { status, signal, error, stderr } = spawnSync(command, args, {
    cwd: root,
    stdio: ['inherit', 'inherit', explainOutput === undefined ? 'inherit' : 'pipe'],
    env,
    shell,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return;
  const reason = error?.message ?? (signal === null ? `exit code ${status}` : `ended by ${signal}`);
  const explanation = explainOutput?.(stderr ?? '') ?? '';
  throw new StepFailed(`${failure} (${reason}).${explanation === '' ? '' : `\n${explanation}`}`, byHand);
}

/**
 * Runs a program in the foreground, hands it the signals that this process gets, and resolves to its exit code.
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<number>}
 */
export function runForeground(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: toolEnvironment() });
    // A terminal sends Ctrl-C to the child as well; a second one would look like impatience.
    const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
    const interrupt = () => void (onTerminal || child.kill('SIGINT'));
    const terminate = () => void child.kill('SIGTERM');
    process.on('SIGINT', interrupt);
    process.on('SIGTERM', terminate);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', terminate);
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']);
    });
  });
}

#!/usr/bin/env node
// Starts the command line on a Node that is new enough; plain JavaScript, so that an old Node can still read it.
import module, { createRequire } from 'node:module';

// An import of "node:fs" would also load what it only brings when asked, such as streams.
const require = createRequire(import.meta.url);
const { existsSync, lstatSync, mkdirSync, readFileSync } = require('node:fs');
const { fileURLToPath } = require('node:url');

const home = fileURLToPath(new URL('..', import.meta.url));
const { version, engines } = readJson(`${home}package.json`);
const required = engines.node.replace('>=', '');
const main = `${home}dist/bundle/main.cjs`;
const args = process.argv.slice(2);

if (/^(?:--version|-V|-v|version)$/.test(args.join(' '))) {
  // Answered here, because loading the command line would take longer than the answer.
  process.stdout.write(`${version}\n`);
} else if (isNewEnough(process.versions.node)) {
  await start();
} else {
  await restart();
}

async function start() {
  if (!existsSync(main)) {
    refuse('Keepsake has not been built in this checkout: run "npm run build" and try again.');
    return;
  }
  const { tmpdir } = require('node:os');
  const { join } = require('node:path');
  if (process.env.NODE_COMPILE_CACHE || isOurs(join(tmpdir(), 'node-compile-cache')))
    module.enableCompileCache?.();
  try {
    // A server of this workspace answers a hook in less time than it takes to load the command line.
    const asked = args[0] === 'hook' ? await require('./ask-server.cjs').askServer(args, version) : {};
    if (asked.isAnswered) return;
    const { run } = require(main);
    process.exitCode = await run(args, undefined, asked.stdin);
  } catch (error) {
    if (args[0] !== 'hook') throw error;
    refuse(`Keepsake could not start: ${error instanceof Error ? error.message : error}`);
  }
}

/** Node runs cached code as it finds it, and on a shared machine anyone may have made its folder before us. */
function isOurs(/** @type {string} */ folder) {
  const user = process.getuid?.();
  if (user === undefined) return true;
  try {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === user && (found.mode & 0o022) === 0;
  } catch {
    return false;
  }
}

/** Runs this same file on the Node that is installed beside it, as if it had been started there. */
async function restart() {
  const node = findNode();
  if (node === undefined) {
    refuse(
      `Keepsake needs Node ${required} or newer and this is ${process.versions.node}: ` +
        'install a newer one from https://nodejs.org, or run "npm install node@24" beside Keepsake.',
    );
    return;
  }
  const { spawn } = require('node:child_process');
  const child = spawn(node, [fileURLToPath(import.meta.url), ...args], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to the child as well; a second one would look like impatience.
  const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  process.on('SIGINT', () => onTerminal || child.kill('SIGINT'));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  child.on('error', (error) => refuse(`Keepsake could not start ${node}: ${error.message}.`));
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exit(code ?? 1);
    }
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** The npm package "node" carries a Node binary; its version is read rather than asked, to save a start. */
function findNode() {
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  for (const folder of [`${home}node_modules/node`, `${home}../node`]) {
    const binary = `${folder}/bin/${file}`;
    if (existsSync(binary) && isNewEnough(readJson(`${folder}/package.json`).version)) return binary;
  }
  return undefined;
}

/** Versions of Node 23 before 23.6 are older than 22.14 in what matters. @param {string} candidate */
function isNewEnough(candidate) {
  const [major = 0, minor = 0] = candidate.split('.').map(Number);
  if (major === 23 && minor < 6) return false;
  const [wantedMajor = 0, wantedMinor = 0] = required.split('.').map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** A hook is never in the way of whoever calls it, also where Keepsake cannot run. @param {string} sentence */
function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  if (args[0] === 'hook') process.stdout.write('{}\n');
  else process.exitCode = 1;
}

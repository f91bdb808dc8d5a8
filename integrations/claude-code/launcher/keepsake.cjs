#!/usr/bin/env node
// Starts the Keepsake that is installed on this machine. It never installs anything, and a session goes on without it.
'use strict';
const { findKeepsake } = require('./find.cjs');

const MISSING =
  'Keepsake was not found on this machine, so this session has no long-term memory. Install it and run "keepsake mcp install claude-code" once.';
const args = process.argv.slice(2);

const found = findKeepsake(process.env, process.cwd());
if (found === undefined) {
  process.stderr.write(`${MISSING}\n`);
  if (args[0] !== 'hook') process.exitCode = 1;
  // Said once in a session; the other hooks are silent.
  else if (args[1] === 'session-start')
    process.stdout.write(`${JSON.stringify({ systemMessage: MISSING })}\n`);
} else if (isOld(process.versions.node) && found.node !== undefined) {
  startWith(found.node, found.script);
} else {
  process.argv = [process.argv[0] ?? 'node', found.script, ...args];
  import(require('node:url').pathToFileURL(found.script).href).catch((error) => {
    process.stderr.write(`Keepsake could not start: ${error instanceof Error ? error.message : error}\n`);
    if (args[0] !== 'hook') process.exitCode = 1;
  });
}

/** Older than what Keepsake needs; the Node that installed it is new enough. @param {string} version */
function isOld(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < 22 || (major === 22 && minor < 14);
}

/** @param {string} node @param {string} script */
function startWith(node, script) {
  const child = require('node:child_process').spawn(node, [script, ...args], {
    stdio: 'inherit',
    windowsHide: true,
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  child.on('error', (/** @type {Error} */ error) => {
    process.stderr.write(`Keepsake could not start: ${error.message}\n`);
    process.exitCode = args[0] === 'hook' ? 0 : 1;
  });
  child.on('exit', (/** @type {number | null} */ code) => process.exit(code ?? 1));
}

// "npm start": installs and compiles what is missing, shows Keepsake at work once, then serves a workspace of its own.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureBuilt } from './setup/build.mjs';
import { ensureInstalled } from './setup/install.mjs';
import { explain, requireNode, root, runForeground, say } from './setup/run.mjs';

const workspace = join(root, '.keepsake');
const program = join(root, 'bin/keepsake.js');

/** @param {readonly string[]} args */
const keepsake = (args) => runForeground(requireNode(), [program, ...args, '--workspace', workspace]);

async function start() {
  ensureInstalled();
  ensureBuilt();
  const place = relative(process.cwd(), workspace) || workspace;
  if (!existsSync(join(workspace, 'data'))) {
    say(`Starting with a demonstration; what it remembers is kept in ${place}.`);
    const failed = await keepsake(['demo', '--then-serving']);
    if (failed !== 0) return failed;
    say('');
  }
  say(
    `Serving ${place}: the inspector, REST and MCP over HTTP. "npm start -- --port 8080" chooses another port.`,
  );
  return keepsake(['serve', ...process.argv.slice(2)]);
}

try {
  process.exitCode = await start();
} catch (error) {
  explain(error);
  process.exitCode = 1;
}

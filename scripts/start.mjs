// "npm start": installs and compiles what is missing, then shows Keepsake at work in a workspace of its own.
import { join, relative } from 'node:path';
import { ensureBuilt } from './setup/build.mjs';
import { ensureInstalled } from './setup/install.mjs';
import { explain, requireNode, root, runForeground, say } from './setup/run.mjs';

const workspace = join(root, '.keepsake');

try {
  ensureInstalled();
  ensureBuilt();
  say(
    `Starting the demonstration; what it remembers is kept in ${relative(process.cwd(), workspace) || workspace}.`,
  );
  const program = join(root, 'bin/keepsake.js');
  process.exitCode = await runForeground(requireNode(), [
    program,
    'demo',
    '--workspace',
    workspace,
    ...process.argv.slice(2),
  ]);
} catch (error) {
  explain(error);
  process.exitCode = 1;
}

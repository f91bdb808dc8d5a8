// The bundle of the command line, with the licences of what is in it: node bundle-cli.mjs <compiled tree> <root>
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, COMMAND_LINE, WITHIN } from './bundle.mjs';

const [compiled, root] = process.argv.slice(2);
if (compiled === undefined || root === undefined) throw new Error('Usage: bundle-cli.mjs <compiled> <root>');

const to = join(compiled, 'bundle');
const programs = { main: join(compiled, 'surfaces/cli/main.js') };
await bundle({ root, programs, to, as: COMMAND_LINE });
const notices = WITHIN.map((name) => {
  const home = join(root, 'node_modules', name);
  const file = readdirSync(home).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} has no licence to pass on.`);
  return `${name}\n\n${readFileSync(join(home, file), 'utf8').trim()}\n`;
});
writeFileSync(
  join(to, 'LICENSES.txt'),
  `Parts of these packages are in this folder.\n\n${notices.join('\n\n')}`,
);

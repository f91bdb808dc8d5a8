// The few files that the package is made of, with the licences of what is in them: node bundle-package.mjs <compiled> <to>
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, COMMAND_LINE, LIBRARY, WITHIN } from './bundle.mjs';
import { bundleInspector } from './bundle-inspector.mjs';
import { root } from './run.mjs';

const [compiled, to] = process.argv.slice(2);
if (compiled === undefined || to === undefined) throw new Error('Usage: bundle-package.mjs <compiled> <to>');
/** @param {string} name */
const file = (name) => join(compiled, name);

/** Every folder of src/adapters with an index.ts is a subpath of the package: dist/sdk/adapters/<name>.js. */
const adapters = existsSync(file('adapters'))
  ? readdirSync(file('adapters')).filter((name) => existsSync(file(`adapters/${name}/index.js`)))
  : [];

await bundle({
  root: compiled,
  programs: { main: file('surfaces/cli/main.js') },
  to: join(to, 'bundle'),
  as: COMMAND_LINE,
});
await bundle({
  root: compiled,
  // What package.json exports, and the programs of threads. All in one go, so that they share what they have in common.
  programs: {
    index: file('index.js'),
    'sqlite-driver': file('drivers/sqlite/index.js'),
    testing: file('testing/index.js'),
    'onnx-worker': file('models/onnx/worker.js'),
    ...Object.fromEntries(adapters.map((name) => [`adapters/${name}`, file(`adapters/${name}/index.js`)])),
    'decode-thread': file('conversation/formats/decode-thread.js'),
  },
  to: join(to, 'sdk'),
  as: LIBRARY,
});
await bundleInspector(join(to, 'inspector'));
const notices = WITHIN.map((name) => {
  const home = join(root, 'node_modules', name);
  const licence = readdirSync(home).find((each) => /^licen[cs]e/i.test(each));
  if (licence === undefined) throw new Error(`${name} has no licence to pass on.`);
  return `${name}\n\n${readFileSync(join(home, licence), 'utf8').trim()}\n`;
});
writeFileSync(
  join(to, 'LICENSES.txt'),
  `Parts of these packages are in the folders beside this file.\n\n${notices.join('\n\n')}`,
);

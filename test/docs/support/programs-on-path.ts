/** What a reader has on the PATH: keepsake, npx, and an npm that installs nothing and says whether it could. */
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../fixtures/temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');

const KEEPSAKE = `#!/bin/sh
exec "${process.execPath}" "${join(root, 'bin/keepsake.js')}" "$@"
`;

const NPX = `#!/bin/sh
[ "$1" = --no ] || { echo "npx would fetch what is not installed; write npx --no" >&2; exit 1; }
shift
[ "$1" = keepsake ] || { echo "npx would fetch $1" >&2; exit 1; }
shift
exec keepsake "$@"
`;

/** Not the network, but what would be asked of it: packages that the manifest knows, scripts that it has. */
const NPM = `#!${process.execPath}
const { existsSync, readFileSync } = require('node:fs');
const manifest = JSON.parse(readFileSync(${JSON.stringify(join(root, 'package.json'))}, 'utf8'));
const [verb, ...rest] = process.argv.slice(2);
const refuse = (text) => { console.error(text); process.exit(1); };
// Under its own name somebody else may publish something; the packed file is what a reader has.
const own = './' + manifest.name + '-' + manifest.version + '.tgz';
const packages = [own, ...Object.keys({ ...manifest.devDependencies, ...manifest.peerDependencies })];
if (verb === 'i' || verb === 'install') {
  const unknown = rest.filter((word) => !/^(-g|--global|--no-save)$/.test(word) && !packages.includes(word));
  if (unknown.length > 0) refuse('Nobody may install by this name: ' + unknown.join(', '));
} else {
  const [name, ...words] = verb === 'run' ? rest : [verb, ...rest];
  if (manifest.scripts[name] === undefined) refuse('There is no script ' + name);
  const bench = words.filter((word) => word !== '--')[0];
  if (name === 'bench' && bench !== undefined && !existsSync(${JSON.stringify(join(root, 'bench/suites'))} + '/' + bench + '.ts'))
    refuse('There is no benchmark ' + bench);
}
`;

let made: { readonly bin: string; readonly modules: string } | undefined;

/** `modules`: what programs import, with the built package itself among them, as after "npm i" with the packed file. Made once per process. */
export function programsOnPath(): { readonly bin: string; readonly modules: string } {
  if (made !== undefined) return made;
  const { folder, remove } = makeFolder();
  process.once('exit', remove);
  const [bin, modules] = [join(folder, 'bin'), join(folder, 'node_modules')];
  mkdirSync(bin);
  for (const [name, text] of Object.entries({ keepsake: KEEPSAKE, npx: NPX, npm: NPM })) {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
  mkdirSync(modules);
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  symlinkSync(root, join(modules, 'keepsake'));
  made = { bin, modules };
  return made;
}

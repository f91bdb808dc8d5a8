// Puts the compiled command line into few files: a cold start spends its time on finding files, not on running them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** Small packages that the command line always or often needs. All others stay outside: native, optional, or large. */
const WITHIN = ['zod', 'commander', 'jsonc-parser', 'yaml', 'tokenx', 'croner'];

/** @param {string} folder the compiled tree; the bundle becomes its folder `bundle` @param {string} root */
async function bundle(folder, root) {
  const build = await rolldown({
    input: { main: join(folder, 'surfaces/cli/main.js') },
    platform: 'node',
    // The other form of jsonc-parser looks for its own files at run time.
    resolve: { mainFields: ['module', 'main'] },
    cwd: root,
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !WITHIN.includes(id),
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const out = join(folder, 'bundle');
  await build.write({
    dir: out,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: true },
  });
  const notices = WITHIN.map((name) => {
    const home = join(root, 'node_modules', name);
    const file = readdirSync(home).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) throw new Error(`${name} has no licence to pass on.`);
    const licence = readFileSync(join(home, file), 'utf8');
    return `${name}\n\n${licence.trim()}\n`;
  });
  writeFileSync(
    join(out, 'LICENSES.txt'),
    `Parts of these packages are in this folder.\n\n${notices.join('\n\n')}`,
  );
}

const [folder, root] = process.argv.slice(2);
if (folder === undefined || root === undefined) throw new Error('Usage: bundle.mjs <folder> <root>');
await bundle(folder, root);

// Compiles src into dist when dist is missing or was made from other sources.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { requireNode, root, runStep, say } from './run.mjs';

const dist = join(root, 'dist');
/** Not dist itself: tests of the inspector put its files there alone. */
const program = join(dist, 'bundle');
const stamp = join(root, 'node_modules/.cache/keepsake/built-from');

export function ensureBuilt() {
  if (existsSync(program) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hashSources(root)) return;
  say('Compiling src into dist.');
  build();
}

/** Compiles beside dist and swaps at the end: a failed build leaves the old one, a deleted source leaves nothing behind. */
export function build() {
  const hash = hashSources(root);
  const staging = mkdtempSync(join(root, '.tmp-build-'));
  try {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const fresh = join(staging, 'new');
    const compiled = join(staging, 'compiled');
    const folders = ['--outDir', compiled, '--declarationDir', fresh];
    runStep(requireNode(), [compiler, '-p', 'tsconfig.build.json', ...folders], {
      failure: 'The sources could not be compiled',
      byHand: 'npm run build',
    });
    runStep(requireNode(), [join(root, 'scripts/setup/bundle-package.mjs'), compiled, fresh], {
      failure: 'The compiled files could not be put together',
      byHand: 'npm run build',
    });
    swap(fresh, join(staging, 'old'));
    mkdirSync(join(stamp, '..'), { recursive: true });
    // Put in place, not written over: worktrees may share node_modules by hard links, and each has a dist of its own.
    writeFileSync(join(staging, 'built-from'), hash);
    renameSync(join(staging, 'built-from'), stamp);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** @param {string} fresh @param {string} old */
function swap(fresh, old) {
  for (let attempt = 1; ; attempt++) {
    try {
      if (existsSync(dist)) renameSync(dist, `${old}-${attempt}`);
      renameSync(fresh, dist);
      return;
    } catch (error) {
      // Another build swapped in between.
      if (attempt === 5) throw error;
    }
  }
}

/** A hash over the names and contents of everything that the compiler reads. @param {string} folder */
export function hashSources(folder) {
  const hash = createHash('sha256');
  const sources = readdirSync(join(folder, 'src'), { encoding: 'utf8', recursive: true })
    .map((name) => join(folder, 'src', name))
    .filter((file) => statSync(file).isFile())
    .sort();
  const settings = [
    ...['tsconfig.json', 'tsconfig.build.json', 'package.json'],
    ...['bundle.mjs', 'bundle-package.mjs', 'bundle-inspector.mjs'].map((name) => `scripts/setup/${name}`),
  ].map((name) => join(folder, name));
  for (const file of [...settings, ...sources]) {
    hash
      .update(`${file.slice(folder.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

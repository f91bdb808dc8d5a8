// "npm run inspector": bundles the page of the inspector into dist; with --watch again after every change of its sources.
import { watch } from 'node:fs';
import { join } from 'node:path';
import { bundleInspector } from './setup/bundle-inspector.mjs';
import { explain, root, say } from './setup/run.mjs';

/** An editor writes a file in several steps. */
const PAUSE_MS = 50;

async function bundle() {
  try {
    await bundleInspector(join(root, 'dist/inspector'));
    say('Bundled the inspector. Reload the page to see it.');
  } catch (error) {
    explain(error);
    process.exitCode = 1;
  }
}

await bundle();
if (process.argv.includes('--watch')) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  watch(join(root, 'src/surfaces'), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(bundle, PAUSE_MS);
  });
}

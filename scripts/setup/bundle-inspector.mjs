// Makes the files that the inspector loads in a browser, from the sources in src/surfaces/inspector/page.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './run.mjs';

const page = join(root, 'src/surfaces/inspector/page');
/** @param {string} name */
const style = (name) => join(page, 'style', `${name}.css`);

/** Shared by all pages of the server. */
const SHARED = ['colours', 'elements'].map(style);
/** In this order: of two rules that are equally specific, the later one wins. */
const VIEWS = [
  ...['frame', 'panes', 'search', 'bars', 'lists', 'parts', 'memory', 'toasts', 'help'],
  ...['conversations', 'receipts', 'swarms', 'events', 'guard', 'overview'],
].map(style);

async function script() {
  const build = await rolldown({
    input: join(page, 'app.ts'),
    cwd: root,
    platform: 'browser',
    tsconfig: join(page, 'tsconfig.json'),
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const { output } = await build.generate({ format: 'esm', comments: false });
  await build.close();
  return output[0].code;
}

/** @param {readonly string[]} files */
const joined = (files) => files.map((file) => readFileSync(file, 'utf8')).join('');

/** Writes what has changed. A server that reads meanwhile finds a file as it was or as it is. @param {string} to */
export async function bundleInspector(to) {
  const files = {
    'app.js': await script(),
    'icon.svg': readFileSync(join(page, 'icon.svg'), 'utf8'),
    'inspector.css': joined([...SHARED, ...VIEWS]),
    'page.css': joined([...SHARED, join(root, 'src/surfaces/http/pages/docs.css')]),
  };
  mkdirSync(to, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const file = join(to, name);
    if (isSame(file, content)) continue;
    writeFileSync(`${file}.${process.pid}`, content);
    renameSync(`${file}.${process.pid}`, file);
  }
}

/** @param {string} file @param {string} content */
function isSame(file, content) {
  try {
    return readFileSync(file, 'utf8') === content;
  } catch {
    return false;
  }
}

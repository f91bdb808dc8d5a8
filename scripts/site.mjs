// "npm run docs:site": builds the documentation as a site into site/dist; with --serve it also shows it on this machine.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { explain, requireNode, root, runForeground, runStep, say } from './setup/run.mjs';

const site = join(root, 'site');
const pages = join(site, 'pages');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Pages of the repository that docs/ links to. */
const BESIDE = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];

/** The pages as the generator wants them: without comments, and with nothing that it would take for a template. @param {string} text */
function prepared(text) {
  return text
    .replaceAll(/<!--.*?-->\n?/gs, '')
    .replaceAll(/(?:\.\.\/)+(ARCHITECTURE|CHANGELOG|CONTRIBUTING|SECURITY)\.md/g, '/$1.md')
    .replaceAll(/\]\((?:\.\.\/)+README\.md/g, '](/index.md')
    .replaceAll('](docs/', '](/')
    .split(/(```.*?\n```|`[^`\n]*`)/s)
    .map((part, i) => (i % 2 === 1 ? part : part.replaceAll('{{', '&#123;&#123;')))
    .join('');
}

function copyPages() {
  rmSync(pages, { recursive: true, force: true });
  cpSync(join(root, 'docs'), pages, { recursive: true });
  for (const name of BESIDE) cpSync(join(root, name), join(pages, name));
  cpSync(join(root, 'README.md'), join(pages, 'index.md'));
  for (const name of readdirSync(pages, { encoding: 'utf8', recursive: true })) {
    if (!name.endsWith('.md')) continue;
    const file = join(pages, name);
    writeFileSync(file, prepared(readFileSync(file, 'utf8')));
  }
}

/** The address without a version leads to the newest one. */
function pointToNewest() {
  const dist = join(site, 'dist');
  mkdirSync(dist, { recursive: true });
  writeFileSync(
    join(dist, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Keepsake</title><meta http-equiv="refresh" content="0; url=./${version}/">\n`,
  );
}

async function build() {
  if (!existsSync(join(site, 'node_modules/vitepress'))) {
    const byHand = 'npm install --no-save --prefix site';
    runStep('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', site], {
      failure: 'The site generator could not be installed',
      byHand,
    });
  }
  copyPages();
  const vitepress = join(site, 'node_modules/vitepress/bin/vitepress.js');
  const code = await runForeground(requireNode(), [vitepress, 'build', site]);
  if (code !== 0) return code;
  pointToNewest();
  say(`The site is in ${relative(process.cwd(), join(site, 'dist'))}.`);
  if (!process.argv.includes('--serve')) return 0;
  return runForeground(requireNode(), [vitepress, 'preview', site]);
}

try {
  process.exitCode = await build();
} catch (error) {
  explain(error);
  process.exitCode = 1;
}

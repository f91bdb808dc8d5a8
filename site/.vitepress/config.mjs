// The documentation as a site: the pages are those of docs/, copied to site/pages by scripts/site.mjs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const pages = join(import.meta.dirname, '../pages');
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

/** @param {string} file */
const titleOf = (file) => /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? file;

/** Pages of a folder, by title, the named ones first. @param {string} folder @param {string[]} [first] */
function itemsOf(folder, first = []) {
  const place = join(pages, folder);
  if (!existsSync(place)) return [];
  const names = readdirSync(place)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length));
  const order = (/** @type {string} */ name) => (first.includes(name) ? first.indexOf(name) : first.length);
  return names
    .sort((a, b) => order(a) - order(b) || a.localeCompare(b))
    .map((name) => ({ text: titleOf(join(place, `${name}.md`)), link: `/${folder}/${name}` }));
}

const START = ['get-started', 'concepts', 'recall', 'conversations', 'agents', 'swarms', 'mcp', 'server', 'deployment'];

export default {
  title: 'Keepsake',
  description: 'Memory for AI agents: durable, offline from the first command, and able to say why.',
  srcDir: 'pages',
  outDir: `dist/${version}`,
  base: `/${version}/`,
  lastUpdated: false,
  cleanUrls: false,
  // Folders and programs of the repository are linked, and are not part of the site.
  ignoreDeadLinks: [/examples/, /^http:\/\/localhost/, /bench\//, /test\//, /src\//, /\.mjs$/, /\.ts$/, /LICENSE/, /integrations\//, /coming-from$/, /design$/],
  markdown: { html: false },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Guides', link: '/guides/get-started' },
      { text: 'Reference', link: '/reference/sdk' },
      { text: 'Benchmarks', link: '/benchmarks' },
      { text: version, items: [{ text: 'Changes', link: '/CHANGELOG' }] },
    ],
    sidebar: [
      { text: 'Guides', items: itemsOf('guides', START) },
      { text: 'Frameworks', items: itemsOf('guides/frameworks') },
      { text: 'Coming from', items: itemsOf('guides/coming-from'), collapsed: true },
      { text: 'Reference', items: itemsOf('reference') },
      { text: 'Design decisions', items: itemsOf('design'), collapsed: true },
    ].filter(({ items }) => items.length > 0),
    outline: [2, 3],
  },
};

// The documentation as a site: the pages are those of docs/, copied to site/pages by scripts/site.mjs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const pages = join(import.meta.dirname, '../pages');
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

/** @param {string} file */
const titleOf = (file) => /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? file;

/** Pages of a folder, by name. @param {string} folder */
function itemsOf(folder) {
  const place = join(pages, folder);
  if (!existsSync(place)) return [];
  const names = readdirSync(place)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length));
  return names
    .sort()
    .map((name) => ({ text: titleOf(join(place, `${name}.md`)), link: `/${folder}/${name}` }));
}

/** Guides by job; new ones that are not listed are in the last group. @type {readonly [string, string[]][]} */
const JOBS = [
  ['Start', ['get-started', 'concepts', 'comparison', 'troubleshooting', 'upgrading']],
  ['Build with memory', ['agents', 'conversations', 'sections', 'recall', 'knowledge', 'swarms', 'users', 'chat-app', 'mcp', 'bundlers']],
  ['Models and quality', ['models', 'language-models', 'testing', 'evaluate']],
  ['Safety and privacy', ['security', 'guard', 'privacy', 'retention']],
  ['Run a server', ['server', 'inspector', 'deployment', 'postgres', 'redis', 'qdrant', 'scale', 'sizing', 'monitor', 'backup', 'rotate-keys', 'when-something-fails']],
];

function guidesByJob() {
  const all = itemsOf('guides');
  const nameOf = (/** @type {{ link: string }} */ { link }) => link.slice('/guides/'.length);
  const listed = new Set(JOBS.flatMap(([, names]) => names));
  const groups = JOBS.map(([text, names]) => ({
    text,
    items: names.flatMap((name) => all.filter((item) => nameOf(item) === name)),
  }));
  return [...groups, { text: 'More', items: all.filter((item) => !listed.has(nameOf(item))) }];
}

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
      ...guidesByJob(),
      { text: 'Frameworks', items: itemsOf('guides/frameworks') },
      { text: 'Coming from', items: itemsOf('guides/coming-from'), collapsed: true },
      { text: 'Reference', items: itemsOf('reference') },
      { text: 'Design decisions', items: itemsOf('design'), collapsed: true },
    ].filter(({ items }) => items.length > 0),
    outline: [2, 3],
  },
};

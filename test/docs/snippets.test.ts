/** Every snippet of every page is followed by a test; besides, commands take their flags, and settings are valid. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load.ts';
import { parseSource } from '../../src/config/source-file.ts';
import { FOLLOWED } from '../e2e/docs/pages/index.ts';
import { commandLines } from './support/commands.ts';
import { problemWith } from './support/known-commands.ts';
import { NOT_RUN, STOOD_IN } from './support/page.ts';
import { type Snippet, snippetsOf } from './support/snippets.ts';

const root = join(import.meta.dirname, '../..');
const pages = globSync(['*.md', 'docs/**/*.md', 'integrations/**/*.md', 'examples/**/*.md'], { cwd: root })
  .filter((path) => !path.startsWith('docs/design') && !path.includes('/agents/') && path !== 'CHANGELOG.md')
  .sort();
const snippets = pages.flatMap((page) => snippetsOf(page, readFileSync(join(root, page), 'utf8')));
const inLanguage = (...languages: readonly string[]): Snippet[] =>
  snippets.filter(({ language }) => languages.includes(language));

/** Pages that are not followed: who sees to their blocks. */
const NOT_FOLLOWED: Readonly<Record<string, string>> = {
  'ARCHITECTURE.md': 'Drawings of folders; test/architecture.test.ts compares the page with the imports.',
  'CONTRIBUTING.md': 'Commands for the repository itself; below their scripts are looked up.',
  'docs/reference/cli.md': 'Generated from the commands; below each is looked up with its flags.',
  'docs/reference/rest.md': 'Generated from the routes; rest-examples.test.ts makes every call.',
  'docs/reference/config.md': 'Generated from the schema; below its settings are read.',
};

describe('snippets of the documentation', () => {
  it('are found', () => {
    expect(inLanguage('ts').length).toBeGreaterThan(20);
    expect(inLanguage('sh', 'console').length).toBeGreaterThan(80);
  });

  it('are run or compared, block by block, by a test that follows the page, or there is a reason', () => {
    const withBlocks = pages.filter((page) => snippets.some((snippet) => snippet.page === page));
    expect(withBlocks).toEqual([...Object.keys(FOLLOWED), ...Object.keys(NOT_FOLLOWED)].sort());
    for (const test of ['guides', 'engines', 'swarms', 'frameworks'])
      expect(readFileSync(join(root, `test/e2e/docs/${test}.test.ts`), 'utf8')).toMatch(
        /followPage\(path, page\)/,
      );
    // Reasons for commands that nobody reads any more are no reasons.
    const lines = inLanguage('sh').flatMap(({ text }) => text.split('\n'));
    for (const line of Object.keys(NOT_RUN)) expect(lines).toContain(line);
    for (const name of Object.keys(STOOD_IN))
      expect(lines.some((line) => line.startsWith(`${name} `))).toBe(true);
    expect(Object.keys(NOT_RUN).length).toBeLessThan(5);
  });

  it('name scripts of the repository that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const named = inLanguage('sh')
      .filter(({ page }) => page === 'CONTRIBUTING.md')
      .flatMap(({ text }) => [...text.matchAll(/^npm run (\S+)/gm)].map(([, name]) => name!));
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  it('are in languages that the tests below know, so that none escapes them', () => {
    const known = [
      'sh',
      'sh curl',
      'console',
      'ts',
      'ts signature',
      'ts example',
      'json',
      'jsonc',
      'toml',
      'text',
      'md',
      'html',
      '',
    ];
    expect(
      snippets.filter(({ language }) => !known.includes(language)).map(({ page, text }) => [page, text]),
    ).toEqual([]);
    // Blocks without a language are drawings, and hold nothing to run.
    const runnable = inLanguage('').filter(({ text }) =>
      /^(?:\$ |keepsake |npx? |import |const )/m.test(text),
    );
    expect(runnable.map(({ page, text }) => [page, text])).toEqual([]);
    // Every fence begins or ends one of them: none is indented, none is left open.
    const fences = pages.flatMap(
      (page) => readFileSync(join(root, page), 'utf8').match(/^[ >]*(?:```|~~~)/gm) ?? [],
    );
    expect(fences).toHaveLength(2 * snippets.length);
  });

  it('run commands that exist, with flags that they take', async () => {
    const lines = inLanguage('sh', 'console').flatMap(({ page, text, language }) =>
      commandLines(text, language).map((line) => ({ page, line })),
    );
    expect(lines.length).toBeGreaterThan(200);
    for (const { page, line } of lines)
      expect([page, line, await problemWith(line)]).toEqual([page, line, undefined]);
  });

  it('hold settings that are valid', () => {
    for (const { page, text } of inLanguage('jsonc')) {
      const settings = parseSource('keepsake.jsonc', text).value as object;
      expect([page, () => parseConfig(settings)][1]).not.toThrow();
    }
    for (const { text } of inLanguage('json')) expect(() => JSON.parse(text)).not.toThrow();
  });
});

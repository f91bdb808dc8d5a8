/** Every snippet of every page: commands exist and take their flags, settings are valid, programs compile. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load.ts';
import { parseSource } from '../../src/config/source-file.ts';
import { COMMANDS } from '../../src/surfaces/cli/command-table.ts';
import { type CommandEntry, commandTree } from '../../src/surfaces/cli/completion/tree.ts';
import { Context } from '../../src/surfaces/cli/context.ts';
import { Output } from '../../src/surfaces/cli/output.ts';
import { buildProgram } from '../../src/surfaces/cli/program.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { commandLines, splitWords } from './support/commands.ts';
import { programOf } from './support/programs.ts';
import { type Snippet, snippetsOf } from './support/snippets.ts';

const root = join(import.meta.dirname, '../..');
const pages = globSync(['*.md', 'docs/**/*.md', 'integrations/**/*.md', 'examples/**/*.md'], { cwd: root })
  .filter((path) => !path.startsWith('docs/design') && !path.includes('/agents/') && path !== 'CHANGELOG.md')
  .sort();
const snippets = pages.flatMap((page) => snippetsOf(page, readFileSync(join(root, page), 'utf8')));
const inLanguage = (...languages: readonly string[]): Snippet[] =>
  snippets.filter(({ language }) => languages.includes(language));

/** What pages speak of in words and snippets therefore do not declare, with the reason it is here. */
const ASSUMED: Readonly<Record<string, string>> = {
  // "Any model": the page on language models shows how one is made.
  'docs/guides/conversations.md':
    "declare const summarizer: NonNullable<import('keepsake').ContextCompressorOptions['summarizer']>;",
  // The page shows how a driver is tested and used, not how one is written.
  'docs/guides/drivers.md': "declare function openMine(place: string): Promise<import('keepsake').Storage>;",
  // "A vector database of your own": the same.
  'docs/guides/knowledge.md': "declare const myDatabase: import('keepsake').LongTermMemory;",
};

let tree: readonly CommandEntry[];
beforeAll(async () => {
  const context = new Context(new Output({ json: false, quiet: false, color: false }), undefined);
  const names = COMMANDS.map(({ name }) => name);
  tree = commandTree(await buildProgram(context, names));
});

function problemWith(line: string): string | undefined {
  const words = splitWords(line);
  let entry = tree[0]!;
  const flags = new Set<string>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === '--') break;
    if (/^--[a-z]/.test(word)) {
      flags.add(word.split('=')[0]!);
      continue;
    }
    const below = tree.find(({ path }) => path.join(' ') === [...entry.path, word].join(' '));
    if (below !== undefined) entry = below;
    else if (entry.path.length === 0) return `there is no command ${word}`;
  }
  const unknown = [...flags].filter(
    (flag) => !entry.flags.some(({ name }) => name === flag || flag === '--version'),
  );
  return unknown.length === 0 ? undefined : `${entry.path.join(' ')} does not take ${unknown.join(', ')}`;
}

describe('snippets of the documentation', () => {
  it('are found', () => {
    expect(inLanguage('ts').length).toBeGreaterThan(20);
    expect(inLanguage('sh', 'console').length).toBeGreaterThan(80);
  });

  it('are in languages that the tests below know, so that none escapes them', () => {
    const known = ['sh', 'console', 'ts', 'ts signature', 'json', 'jsonc', 'text', 'md', 'html', ''];
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

  it('run commands that exist, with flags that they take', () => {
    const lines = inLanguage('sh', 'console').flatMap(({ page, text, language }) =>
      commandLines(text, language).map((line) => ({ page, line })),
    );
    expect(lines.length).toBeGreaterThan(200);
    const wrong = lines.flatMap(({ page, line }) => {
      const problem = problemWith(line);
      return problem === undefined ? [] : [`${page}: keepsake ${line}: ${problem}`];
    });
    expect(wrong).toEqual([]);
  });

  it('hold settings that are valid', () => {
    for (const { page, text } of inLanguage('jsonc')) {
      const settings = parseSource('keepsake.jsonc', text).value as object;
      expect([page, () => parseConfig(settings)][1]).not.toThrow();
    }
    for (const { text } of inLanguage('json')) expect(() => JSON.parse(text)).not.toThrow();
  });

  it.each(['docs/guides/get-started.md', 'docs/guides/moving.md'])(
    'the program of %s prints what it shows',
    (page) => {
      const folder = temporaryFolder();
      const [program] = inLanguage('ts').filter((snippet) => snippet.page === page);
      const [shown] = inLanguage('text').filter((snippet) => snippet.page === page);
      const api = pathToFileURL(join(root, 'src/index.ts')).href;
      writeFileSync(join(folder, 'program.ts'), program!.text.replace("'keepsake'", JSON.stringify(api)));
      const told = execFileSync(process.execPath, ['program.ts'], {
        ...{ cwd: folder, encoding: 'utf8', env: { ...process.env, WORKSPACE_DIR: folder } },
      });
      expect(told).toBe(shown!.text);
    },
  );

  it('hold programs that compile', () => {
    const folder = temporaryFolder();
    for (const page of pages) {
      const blocks = inLanguage('ts').filter((snippet) => snippet.page === page);
      if (blocks.length === 0) continue;
      const name = `${page.replaceAll(/[^\w]/g, '_')}.ts`;
      writeFileSync(join(folder, name), programOf(blocks, { root, assumed: ASSUMED[page] ?? '' }));
    }
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        ...{
          noEmit: true,
          rootDir: '/',
          noUnusedLocals: false,
          rewriteRelativeImportExtensions: false,
        },
        paths: {
          keepsake: [join(root, 'src/index.ts')],
          'keepsake/testing': [join(root, 'src/testing/index.ts')],
          'keepsake/drivers/sqlite': [join(root, 'src/drivers/sqlite/index.ts')],
        },
      },
      include: [`${folder}/*.ts`],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const tsc = join(root, 'node_modules/.bin/tsc');
    const told = (() => {
      try {
        return execFileSync(tsc, ['-p', join(folder, 'tsconfig.json')], { encoding: 'utf8', cwd: root });
      } catch (error) {
        return (error as { stdout: string }).stdout;
      }
    })();
    // Problems of the sources themselves are told by the type check of the repository.
    expect(told.split('\n').filter((line) => line.includes('_md.ts('))).toEqual([]);
  });
});

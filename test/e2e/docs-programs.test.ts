/** Every TypeScript program of every page runs somewhere in the tests: those that need a model or a helper run here. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/index.ts';
import { commandLines, splitWords } from '../docs/support/commands.ts';
import { programOf } from '../docs/support/programs.ts';
import { snippetsOf } from '../docs/support/snippets.ts';
import { agentsWorkspace } from './support/agents-workspace.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Which test runs the programs of a page. */
const RUN_BY: Readonly<Record<string, string>> = {
  'README.md': 'test/e2e/docs-programs.test.ts',
  'docs/guides/agents.md': 'test/e2e/docs-programs.test.ts',
  'docs/guides/conversations.md': 'test/e2e/docs-programs.test.ts',
  'docs/guides/drivers.md': 'test/e2e/docs-programs.test.ts',
  'docs/guides/get-started.md': 'test/docs/snippets.test.ts',
  'docs/guides/guard.md': 'test/guard/guide.test.ts',
  'docs/guides/knowledge.md': 'test/e2e/docs-programs.test.ts',
  'docs/guides/language-models.md': 'test/testing/scripted-model-guide.test.ts',
  'docs/guides/models.md': 'test/e2e/docs-programs.test.ts',
  'docs/guides/moving.md': 'test/docs/snippets.test.ts',
  'docs/guides/recall.md': 'test/e2e/docs.test.ts',
  'docs/guides/sections.md': 'test/sections/guide.test.ts',
  'docs/guides/server.md': 'test/surfaces/http/guide.test.ts',
  'docs/guides/swarms.md': 'test/agents/swarm/guide.test.ts',
  'docs/reference/sdk.md': 'test/e2e/docs-programs.test.ts',
};

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const programsOf = (page: string) => snippetsOf(page, read(page)).filter(({ language }) => language === 'ts');

interface Helpers {
  /** What a page speaks of in words, made for real. */
  readonly assumed?: string;
  readonly replace?: readonly (readonly [string, string])[];
  /** How many of the programs, from the first. */
  readonly count?: number;
}

/** Runs the programs of a page as one, with a model that answers everything, and hands back what they print. */
async function printed(page: string, { assumed = '', replace = [], count }: Helpers = {}): Promise<string> {
  const { cwd, env } = await agentsWorkspace(() => ({ text: 'Noted.' }));
  const program = replace.reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    programOf(programsOf(page).slice(0, count), { root, assumed }),
  );
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'));
  writeFileSync(join(cwd, 'program.ts'), program.replaceAll("'keepsake'", `'${join(root, 'src/index.ts')}'`));
  // Keys of the providers are read, and nobody is called with them.
  const variables = { ...process.env, ...env, WORKSPACE_DIR: cwd, OPENAI_API_KEY: 'not-a-real-one' };
  return (await run(process.execPath, ['program.ts'], { cwd, env: variables })).stdout;
}

/** The only change: which model answers. */
const scripted = [["'openai/gpt-5-mini'", "'compatible/scripted'"]] as const;

describe('programs of the documentation', () => {
  it('are each run by a test that names the page', () => {
    const pages = globSync(['*.md', 'docs/**/*.md', 'integrations/**/*.md', 'examples/**/*.md'], {
      cwd: root,
    }).filter((page) => !page.startsWith('docs/design') && programsOf(page).length > 0);
    expect(pages.sort()).toEqual(Object.keys(RUN_BY).sort());
    for (const [page, test] of Object.entries(RUN_BY)) {
      expect([page, read(test).includes(page.split('/').at(-1)!)]).toEqual([page, true]);
    }
  });

  it('README.md: the agent with a model answers', async () => {
    expect(await printed('README.md', { replace: scripted })).toContain('User prefers Python 3.12');
  });

  it('docs/guides/agents.md: a task, a session with events and a stream, and the receipts', async () => {
    const told = await printed('docs/guides/agents.md', { replace: scripted });
    // The answer of the task, of both prompts of the session, and one receipt for each of those.
    expect(told.match(/Noted\./g)).toHaveLength(3);
    expect(told.trimEnd().endsWith(']')).toBe(true);
  });

  it('docs/guides/conversations.md: compression, and archives by the names that there are', async () => {
    const names = [
      ["'history_2026-04-20_14-30-45.md'", '(await memory.archives.list())[0]!.name'],
      ["'history_2026-04-20_16-12-08.md'", '(await memory.archives.list()).at(-1)!.name'],
      // The page ends one client before it goes on with the next part.
      ['await client.close();', ''],
    ] as const;
    const assumed = "const summarizer = { generate: async () => ({ text: 'A summary.' }) };";
    const told = await printed('docs/guides/conversations.md', { replace: names, assumed });
    expect(told).toMatch(/^history_.*\.md \d+$/m);
  });

  it('docs/guides/drivers.md: a storage of one’s own', async () => {
    const sqlite = join(root, 'src/drivers/sqlite/index.ts');
    const assumed = `const { openSqlite } = await import('${sqlite}');
const openMine = (place: string) => openSqlite({ file: place });`;
    // The second is a file of tests; test/conformance/sqlite.test.ts is the same for our own driver.
    expect(await printed('docs/guides/drivers.md', { assumed, count: 1 })).toBe('');
  });

  it('docs/guides/knowledge.md: a database of one’s own', async () => {
    const assumed = 'const myDatabase = { query: async () => [], add: async () => {} };';
    const only = [["'docs'", "'.'"]] as const;
    await expect(printed('docs/guides/knowledge.md', { assumed, replace: only })).resolves.toBeTypeOf(
      'string',
    );
  });

  it.each(['docs/guides/models.md', 'docs/reference/sdk.md'])('%s: ends without a word', async (page) => {
    expect(await printed(page)).toBe('');
  });
});

/** A call of curl as the page shows it, made by fetch: not every machine has curl. */
function requestOf(text: string, url: string, key: string): [string, RequestInit] {
  const words = splitWords(text.replaceAll('\\\n', ' ').replaceAll('$KEEPSAKE_KEY', key));
  const after = (flag: string) => words.flatMap((word, i) => (word === flag ? [words[i + 1]!] : []));
  const headers = after('-H').map((line) => line.split(': ') as [string, string]);
  const [address] = words.filter((word) => word.startsWith('http'));
  return [address!.replace('http://127.0.0.1:4444', url), { method: 'POST', headers, body: after('-d')[0]! }];
}

describe('the server of docs/guides/get-started.md and server.md', () => {
  it('is started, gets a key and answers as the pages say', async () => {
    const { cwd, keepsake, start } = await agentsWorkspace(() => ({ text: 'Noted.' }));
    const client = createClient({ workspace: cwd });
    await client.agent({ name: 'my-agent' }).memory.add({ content: 'Prefers short answers.' });
    await client.close();
    const blocks = ['docs/guides/get-started.md', 'docs/guides/server.md'].flatMap((page) =>
      snippetsOf(page, read(page)).filter(({ language }) => language === 'sh'),
    );
    const lines = blocks.flatMap(({ text }) => commandLines(text, 'sh'));
    expect(lines.filter((line) => line === 'serve')).toHaveLength(2);
    const server = start('serve', '--port', '0', '--json');
    onTestFinished(() => void server.kill('SIGKILL'));
    const [first] = (await once(server.stdout!, 'data')) as [Buffer];
    const { url } = JSON.parse(String(first)) as { url: string };
    const creates = lines.filter((line) => line.startsWith('keys create'));
    const calls = blocks.filter(({ text }) => text.startsWith('curl'));
    expect([creates.length, calls.length]).toEqual([2, 2]);
    for (const [i, line] of creates.entries()) {
      const { stdout } = await keepsake(...splitWords(line));
      const answer = await fetch(...requestOf(calls[i]!.text, url, /ksk_\S+/.exec(stdout)![0]));
      expect([answer.status, await answer.json()]).toMatchObject([
        200,
        [{ content: 'Prefers short answers.' }],
      ]);
    }
  });
});

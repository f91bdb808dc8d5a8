/** A verb that a test defines is a command, with flags, help and output, although no file of the command line knows it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import type { Engine } from '../../../src/client/index.ts';
import { withNotices } from '../../../src/kernel/notices.ts';
import { type AnyVerb, defineVerb } from '../../../src/kernel/verb.ts';
import { Context } from '../../../src/surfaces/cli/context.ts';
import { Output } from '../../../src/surfaces/cli/output.ts';
import { buildProgram } from '../../../src/surfaces/cli/program.ts';
import { VERBS } from '../../../src/verbs.ts';
import { testWorkspace } from '../../fixtures/workspace.ts';

const counted = z.strictObject({ id: z.string(), words: z.int(), createdAt: z.int() });

const countWords = defineVerb({
  name: 'memory.countWords',
  summary: 'Counts the words of memories.',
  description: 'Counts the words of every memory that has at least so many.',
  effect: 'read',
  role: 'reader',
  input: z.strictObject({
    query: z.string().optional().describe('Only memories with this text.'),
    minWords: z.int().min(1).default(1).describe('Least number of words.'),
  }),
  output: counted.array(),
  run: async ({ records }: Pick<Engine, 'records'>, { query = '', minWords }, caller) => {
    const found = (await records.list({}, caller)).filter(({ content }) => content.includes(query));
    const rows = found.map(({ id, content, createdAt }) => ({
      id,
      words: content.split(' ').length,
      createdAt,
    }));
    return withNotices(
      rows.filter(({ words }) => words >= minWords),
      ['Counted by blanks only.'],
    );
  },
  cli: {
    positionals: [{ key: 'query', kind: 'text' }],
    nothing: [],
    examples: ['keepsake memory count-words "short"'],
  },
});

const newest = defineVerb({
  name: 'words.newest',
  summary: 'Shows the newest word.',
  description: 'Shows the newest word, with details.',
  effect: 'read',
  role: 'reader',
  input: z.strictObject({}),
  output: z.strictObject({
    word: z.string(),
    usedIn: z.array(z.string()),
    at: z.strictObject({ line: z.int() }),
  }),
  run: async () => ({ word: 'answers', usedIn: ['alice', 'bob'], at: { line: 3 } }),
});

const empty = defineVerb({
  name: 'words.empty',
  summary: 'Erases all words.',
  description: 'Erases all words.',
  effect: 'destroy',
  role: 'worker',
  input: z.strictObject({}),
  output: z.string(),
  run: async () => 'Two\nlines.',
});

const verbs: readonly AnyVerb[] = [...VERBS, countWords, newest, empty];

async function workspace(): Promise<string> {
  const { folder, open } = testWorkspace();
  const { memory } = open().agent({ name: 'alice' });
  await memory.add({ content: 'Prefers short answers.' });
  await memory.add({ content: 'Tea.' });
  return folder;
}

async function run(
  folder: string | undefined,
  args: readonly string[],
  options: { json?: boolean; quiet?: boolean } = {},
): Promise<{ stdout: string; stderr: string }> {
  const context = new Context(new Output({ json: false, quiet: false, color: false, ...options }), folder);
  context.verb = args[1];
  const program = await buildProgram(context, [args[0]!], verbs);
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const restore = (): void => [out, err].forEach((spy) => void spy.mockRestore());
  onTestFinished(restore);
  try {
    await program.parseAsync([...args], { from: 'user' });
    await context.close();
  } catch (error) {
    // Commander ends a program that printed its help.
    if ((error as { code?: string }).code !== 'commander.helpDisplayed') throw error;
  }
  const [stdout, stderr] = [out, err].map((spy) => spy.mock.calls.map(([part]) => String(part)).join(''));
  restore();
  return { stdout: stdout!, stderr: stderr! };
}

test('its help has the description, the positional, the flags of the schema and the examples', async () => {
  const { stdout } = await run('unused', ['memory', 'count-words', '--help']);
  expect(stdout).toContain('Usage: keepsake memory count-words [flags] [query...]');
  expect(stdout).toContain('Counts the words of every memory that has at least so many.');
  expect(stdout).toMatch(/--min-words <number> +Least number of words \(default: 1\)/);
  expect(stdout).toMatch(/--agent <name> +Only what this agent may see and do/);
  expect(stdout).toContain('keepsake memory count-words "short"');
  const group = await run('unused', ['memory', '--help']);
  expect(group.stdout).toMatch(/count-words \[query\.\.\.\] +Counts the words of memories\./);
});

test('it takes the positional and the flags, and answers as JSON, as a table, and as ids', async () => {
  const folder = await workspace();
  const json = await run(folder, ['memory', 'count-words'], { json: true });
  const rows = JSON.parse(json.stdout) as z.output<typeof counted>[];
  expect(rows.map(({ words }) => words).sort()).toEqual([1, 3]);
  const few = await run(folder, ['memory', 'count-words', '--min-words', '2'], { json: true });
  expect(JSON.parse(few.stdout)).toMatchObject([{ words: 3 }]);
  const { stdout } = await run(folder, ['memory', 'count-words', 'short', 'answers']);
  expect(stdout).toMatch(/^WORDS +CREATED AT +ID\n +3 +\S.* \d\d:\d\d +mem_\w+\n$/);
  const { stdout: ids } = await run(folder, ['memory', 'count-words'], { quiet: true });
  expect(ids.trim().split('\n').sort()).toEqual(rows.map(({ id }) => id).sort());
});

test('what makes its answer weaker is a warning on stderr, also with --json', async () => {
  const folder = await workspace();
  for (const json of [true, false]) {
    const { stderr } = await run(folder, ['memory', 'count-words'], { json });
    expect(stderr).toBe('warning: Counted by blanks only.\n');
  }
});

test('a wrong flag and a wrong value are named as they were typed', async () => {
  const folder = await workspace();
  await expect(run(folder, ['memory', 'count-words', '--min-words', '0'])).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('--min-words'),
  });
});

test('without a workspace it shows what it shows for nothing, and creates none', async () => {
  const { folder } = testWorkspace();
  const missing = join(folder, 'none');
  vi.stubEnv('WORKSPACE_DIR', missing);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { stdout, stderr } = await run(undefined, ['memory', 'count-words']);
  expect(stdout).toBe('Nothing.\n');
  expect(stderr).toContain(`No workspace is at ${missing} yet.`);
  expect(existsSync(missing)).toBe(false);
});

test('a new noun is a group of its own, and an object is shown as lines of keys and values', async () => {
  const folder = await workspace();
  const { stdout } = await run(folder, ['words', 'newest']);
  expect(stdout).toBe('word     answers\nused in  alice, bob\nat\n  line  3\n');
  const { stdout: text } = await run(folder, ['words', 'empty', '--yes']);
  expect(text).toBe('Two\nlines.\n');
  const { stdout: help } = await run(folder, ['words', '--help']);
  expect(help).toMatch(/newest +Shows the newest word\./);
});

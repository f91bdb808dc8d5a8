/** `keepsake memory search` and `recall` as they are printed: reasons in words, numbers as JSON. */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { MemoryHit, RecalledMemory } from '../../../../src/index.ts';
import { Context } from '../../../../src/surfaces/cli/context.ts';
import { Output } from '../../../../src/surfaces/cli/output.ts';
import { buildProgram } from '../../../../src/surfaces/cli/program.ts';
import { testWorkspace } from '../../../fixtures/workspace.ts';

async function workspaceWithViolin(): Promise<string> {
  const { folder, open } = testWorkspace();
  const { memory } = open().agent({ name: 'alice' });
  await memory.add({ content: 'He plays the violin in an orchestra' });
  await memory.add({ content: 'Always answer in French', category: 'instruction' });
  return folder;
}

/** What a command prints on stdout. */
async function printed(
  workspace: string,
  args: readonly string[],
  options: { json?: boolean } = {},
): Promise<string> {
  const output = new Output({ json: options.json ?? false, quiet: false, color: false });
  const context = new Context(output, workspace);
  const program = await buildProgram(context, ['memory']);
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  await program.parseAsync(['memory', ...args], { from: 'user' });
  await context.close();
  const text = write.mock.calls.map(([part]) => String(part)).join('');
  write.mockRestore();
  return text;
}

test('E-28 --explain says below each hit why it is there, which it otherwise does not', async () => {
  const workspace = await workspaceWithViolin();
  const search = ['search', 'which musical instrument', '--agent', 'alice'];
  expect(await printed(workspace, search)).not.toContain('close in meaning');
  const text = await printed(workspace, [...search, '--explain']);
  expect(text).toMatch(/close in meaning \(\d\.\d\d, cosine \d\.\d\d\)\. relevance \d\.\d\d/);
  expect(text).toContain('He plays the violin in an orchestra');
});

test('on a terminal the reasons fit its width, too', async () => {
  const workspace = await workspaceWithViolin();
  const { isTTY, columns } = process.stdout;
  onTestFinished(() => void Object.assign(process.stdout, { isTTY, columns }));
  Object.assign(process.stdout, { isTTY: true, columns: 60 });
  const text = await printed(workspace, ['search', 'violin orchestra', '--agent', 'alice', '--explain']);
  expect(text.replaceAll(/\s+/g, ' ')).toMatch(/holds .* close in meaning/);
  expect(text.split('\n').filter((line) => line.length > 60)).toEqual([]);
});

test('E-23 E-28 --json has the factors and the explanation of every hit', async () => {
  const workspace = await workspaceWithViolin();
  const text = await printed(workspace, ['search', 'violin orchestra', '--agent', 'alice'], { json: true });
  const [hit] = JSON.parse(text) as MemoryHit[];
  expect(hit).toMatchObject({ content: 'He plays the violin in an orchestra', relevance: 1 });
  expect(hit!.factors).toMatchObject({ coverage: 1, context: 0 });
  expect(hit!.score).toBeCloseTo(
    hit!.relevance *
      hit!.factors.recencyDecay *
      hit!.factors.accessBoost *
      hit!.factors.orderBoost *
      hit!.factors.authorBoost *
      hit!.factors.openingBoost *
      hit!.factors.speechBoost *
      hit!.factors.earlierDecay,
    12,
  );
  expect(hit!.explain).toContain('"violin"');
});

test('B-12 recall shows what always holds and what the task brings to mind', async () => {
  const workspace = await workspaceWithViolin();
  const recall = ['recall', 'find a teacher for the violin', '--agent', 'alice'];
  expect(await printed(workspace, recall)).toMatch(/Always\n.*French\n.*For this task\n.*violin/);
  const { standing, relevant } = JSON.parse(
    await printed(workspace, recall, { json: true }),
  ) as RecalledMemory;
  expect([standing.length, relevant.length]).toEqual([1, 1]);
});

test('a question that nothing answers is told so', async () => {
  const workspace = await workspaceWithViolin();
  expect(await printed(workspace, ['search', 'boiling point of mercury'])).toMatch(/Nothing found/);
  expect(await printed(workspace, ['search', 'boiling point of mercury'], { json: true })).toBe('[]\n');
});

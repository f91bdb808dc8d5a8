/** A search whose embedding model cannot be used says so on stderr, once, and its answer stays as it is. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Context } from '../../../../src/surfaces/cli/context.ts';
import { Output } from '../../../../src/surfaces/cli/output.ts';
import { buildProgram } from '../../../../src/surfaces/cli/program.ts';
import { testWorkspace } from '../../../fixtures/workspace.ts';

/** A model that needs a key, which nobody has. */
function withoutModel(): void {
  vi.stubEnv('KEEPSAKE_MODELS_EMBEDDING', 'openai');
  vi.stubEnv('OPENAI_API_KEY', '');
  vi.stubEnv('OPENAI_BASE_URL', '');
  onTestFinished(() => void vi.unstubAllEnvs());
}

async function violin(): Promise<string> {
  const { folder, open } = testWorkspace();
  const client = open();
  const { memory } = client.agent({ name: 'alice' });
  await memory.search('opens the model');
  await memory.add({ content: 'He plays the violin in an orchestra' });
  writeFileSync(join(folder, 'violin.md'), '# Violin\n\nFour strings.\n');
  await client.agent({ name: 'alice' }).knowledge.add(join(folder, 'violin.md'));
  await client.close();
  return folder;
}

async function run(
  workspace: string,
  args: readonly string[],
  options: { json?: boolean; quiet?: boolean } = {},
) {
  const output = new Output({ json: false, quiet: false, color: false, ...options });
  const context = new Context(output, workspace);
  const program = await buildProgram(context, [args[0]!]);
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => {
    out.mockRestore();
    err.mockRestore();
  });
  await program.parseAsync([...args], { from: 'user' });
  await context.close();
  const text = (spy: typeof out) => spy.mock.calls.map(([part]) => String(part)).join('');
  const texts = { stdout: text(out), stderr: text(err) };
  out.mockRestore();
  err.mockRestore();
  return texts;
}

test.each([
  [['memory', 'search', 'which musical instrument', '--agent', 'alice']],
  [['memory', 'recall', 'tune the violin', '--agent', 'alice']],
  [['knowledge', 'search', 'violin', '--agent', 'alice']],
])('%j warns once, with what to do', async (args) => {
  const workspace = await violin();
  expect((await run(workspace, args)).stderr).toBe('');
  withoutModel();
  const { stderr } = await run(workspace, args);
  expect(stderr.match(/warning: Searched by words only/g)).toHaveLength(1);
  expect(stderr).toContain('OPENAI_API_KEY');
});

test('with --json the answer stays what it was, and the warning is on stderr; --quiet has none', async () => {
  const workspace = await violin();
  withoutModel();
  const args = ['memory', 'search', 'violin orchestra', '--agent', 'alice'];
  const { stdout, stderr } = await run(workspace, args, { json: true });
  expect(JSON.parse(stdout)[0]).toMatchObject({ content: 'He plays the violin in an orchestra' });
  expect(stderr).toContain('warning: Searched by words only');
  expect((await run(workspace, args, { quiet: true })).stderr).toBe('');
});

test('vectors of another model that cannot be opened here are named', async () => {
  const { folder, open } = testWorkspace();
  const stranger = {
    ...{ id: 'stranger/one@2', dimensions: 2, batchSize: 8, calibration: { unrelated: 0, same: 1 } },
    embed: async (texts: readonly string[]) => texts.map(() => Float32Array.of(1, 0)),
  };
  const client = open({ embedding: stranger });
  await client.agent({ name: 'alice' }).memory.add({ content: 'He plays the violin' });
  await (await client.open()).embedder.drain();
  await client.close();
  const { stdout, stderr } = await run(folder, [
    'memory',
    'search',
    'musical instrument',
    '--agent',
    'alice',
  ]);
  expect(stdout).toContain('Nothing found');
  expect(stderr).toMatch(/The vectors here are of stranger\/one@2, and static\/\S+ is configured/);
  expect(stderr).toContain('keepsake re-embed');
});

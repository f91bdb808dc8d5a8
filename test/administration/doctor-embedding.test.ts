/** `keepsake doctor` on search by meaning: a model that fails, vectors of another one, and what waits for its vector. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { workspaceDoctor } from '../../src/administration/doctor.ts';
import { createClient } from '../../src/index.ts';
import { LOCAL_MODELS } from '../../src/models/onnx/index.ts';
import { scriptedEmbeddings } from '../../src/testing/index.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

function configure(folder: string, embedding: string): void {
  writeFileSync(join(folder, 'keepsake.jsonc'), JSON.stringify({ models: { embedding } }));
}

/** A workspace with this model and some memories. */
async function workspace(embedding: string, contents: readonly string[] = []): Promise<string> {
  const folder = temporaryFolder();
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'));
  configure(folder, embedding);
  if (contents.length === 0) return folder;
  await using client = createClient({ workspace: folder });
  const { memory } = client.agent({ name: 'alice' });
  await memory.search('opens the model');
  for (const content of contents) await memory.add({ content });
  await (await client.open()).embedder.drain().catch(() => undefined);
  return folder;
}

async function server() {
  const scripted = await scriptedEmbeddings();
  onTestFinished(() => scripted.close());
  vi.stubEnv('OPENAI_BASE_URL', scripted.url);
  vi.stubEnv('OPENAI_API_KEY', 'any');
  return scripted;
}

async function examined(folder: string) {
  const program = { version: '0', oldestNode: '20.0' };
  const report = await workspaceDoctor({ workspace: folder, fix: false, now: Date.now(), program });
  expect(report.findings.filter(({ severity }) => severity === 'problem')).toEqual([]);
  return Object.fromEntries(
    report.findings.filter(({ check }) => check.startsWith('embedding.')).map((each) => [each.check, each]),
  );
}

it('finds nothing to say about a model that works and made all vectors', async () => {
  const found = await examined(await workspace('static', ['My kitten sleeps.']));
  expect(found).toMatchObject({
    'embedding.model': { severity: 'ok', message: 'The embedding model static works.' },
    'embedding.backlog': { severity: 'ok' },
  });
  expect(Object.keys(found)).toHaveLength(2);
  expect(await examined(await workspace('none', ['My kitten sleeps.']))).toEqual({});
});

it('tries the model, and says what is missing', async () => {
  vi.stubEnv('OPENAI_API_KEY', '');
  vi.stubEnv('OPENAI_BASE_URL', '');
  expect(await examined(await workspace('openai', ['My kitten sleeps.']))).toMatchObject({
    'embedding.model': { severity: 'notice', hint: expect.stringContaining('OPENAI_API_KEY') },
    'embedding.backlog': {
      severity: 'notice',
      message: expect.stringContaining('1 memory waits'),
      hint: expect.stringContaining('keepsake models embed'),
    },
  });
});

it('finds a runtime that throws when it is loaded', async () => {
  const folder = await workspace('bge-small');
  const { files } = LOCAL_MODELS.find(({ name }) => name === 'bge-small')!;
  const home = join(folder, 'models/bge-small');
  mkdirSync(home, { recursive: true });
  for (const { name, bytes } of files) writeFileSync(join(home, name), Buffer.alloc(bytes));
  const runtime = join(folder, 'node_modules/onnxruntime-node');
  mkdirSync(runtime, { recursive: true });
  writeFileSync(join(runtime, 'index.js'), 'throw new Error("wrong architecture");');
  vi.stubEnv('NODE_PATH', join(folder, 'node_modules'));
  expect((await examined(folder))['embedding.model']).toMatchObject({
    severity: 'notice',
    message: expect.stringContaining('bge-small cannot be used'),
  });
});

it('names the model of the vectors when another one is configured, and whether it can be used', async () => {
  await server();
  const folder = await workspace('openai/words@64', ['My kitten sleeps.']);
  configure(folder, 'static');
  const mismatch = {
    severity: 'notice',
    message: expect.stringMatching(
      /^The stored vectors were made by openai\/words@64, but static\/\S+ is configured\./,
    ),
    hint: expect.stringContaining('keepsake re-embed'),
  };
  const found = (await examined(folder))['embedding.vectors']!;
  expect(found).toMatchObject(mismatch);
  expect(found.message).toContain('continues with the model that made the stored vectors');
  vi.stubEnv('OPENAI_BASE_URL', '');
  vi.stubEnv('OPENAI_API_KEY', '');
  const without = (await examined(folder))['embedding.vectors']!;
  expect(without).toMatchObject(mismatch);
  expect(without.message).toContain('search uses words only');
});

it('notices a server that answers with another length than before', async () => {
  await server();
  const folder = await workspace('openai/words', ['My kitten sleeps.']);
  const other = await scriptedEmbeddings({ dimensions: 32 });
  onTestFinished(() => other.close());
  vi.stubEnv('OPENAI_BASE_URL', other.url);
  expect((await examined(folder))['embedding.dimensions']).toMatchObject({
    severity: 'notice',
    message: expect.stringContaining('have 64 dimensions, but the model returns 32'),
  });
});

it('tells of a change of model that was not finished', async () => {
  await server();
  const folder = await workspace('static', ['My kitten sleeps.', 'My puppy plays.']);
  configure(folder, 'openai/words@64');
  const client = createClient({ workspace: folder });
  const { aside } = (await client.open()).storage.records.vectors;
  await aside!.begin('openai/words@64');
  const [first] = await aside!.waiting('openai/words@64', 1);
  await aside!.save('openai/words@64', [{ ...first!, vector: new Float32Array(64).fill(1) }]);
  await client.close();
  expect(await examined(folder)).toMatchObject({
    'embedding.vectors': { severity: 'notice' },
    'embedding.unfinished': {
      severity: 'notice',
      message: 'The change to openai/words@64 is not finished: 1 vector is made.',
      hint: expect.stringContaining('keepsake re-embed'),
    },
  });
});

it('counts what waits: a model that is quick catches up by itself, another one has to be asked', async () => {
  const fails = { status: 400, body: { error: { message: 'not now' } } };
  const scripted = await server();
  scripted.script(...Array.from({ length: 20 }, () => fails));
  const slow = await workspace('openai/words@64', ['My kitten sleeps.', 'My puppy plays.']);
  scripted.script();
  configure(slow, 'static');
  const waiting = { severity: 'ok', message: expect.stringContaining('2 memories wait for their vectors') };
  expect((await examined(slow))['embedding.backlog']).toMatchObject(waiting);
  configure(slow, 'openai/words@64');
  expect((await examined(slow))['embedding.backlog']).toMatchObject({ ...waiting, severity: 'notice' });
});

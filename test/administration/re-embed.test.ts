/** Choosing the next embedding model: it has to work before anything is changed, and the wish outlives a crash. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { workspaceInit } from '../../src/administration/init.ts';
import { chooseNextModel } from '../../src/administration/re-embed.ts';
import { createClient, KeepsakeError } from '../../src/index.ts';
import { scriptedEmbeddings } from '../../src/testing/index.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

function workspace() {
  const folder = temporaryFolder();
  workspaceInit({ folder });
  return { folder, config: () => readFileSync(join(folder, 'keepsake.jsonc'), 'utf8') };
}

describe('the next model', () => {
  it.each([
    ['none', 'INVALID_INPUT'],
    ['nonsense', 'INVALID_INPUT'],
    ['bge-small', 'NOT_FOUND'],
    ['openai/refuses@16', 'UNAUTHORIZED'],
  ])('%s, which cannot be used, leaves the configuration alone', async (name, code) => {
    const { folder, config } = workspace();
    const before = config();
    const server = await scriptedEmbeddings();
    server.script({ status: 401, body: { error: { message: 'wrong key' } } });
    vi.stubEnv('OPENAI_BASE_URL', server.url);
    vi.stubEnv('OPENAI_API_KEY', 'wrong');
    // Whatever was pulled on this machine.
    vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'));
    await expect(chooseNextModel({ workspace: folder, name })).rejects.toMatchObject({ code });
    await server.close();
    expect(config()).toBe(before);
  });

  it('is refused while a variable says otherwise', async () => {
    const { folder, config } = workspace();
    const before = config();
    vi.stubEnv('KEEPSAKE_MODELS_EMBEDDING', 'static');
    await expect(chooseNextModel({ workspace: folder, name: 'openai' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('$KEEPSAKE_MODELS_EMBEDDING'),
    });
    expect(config()).toBe(before);
  });

  it('is written down first; until its vectors are made, the model of before answers and is told of', async () => {
    const { folder, config } = workspace();
    const server = await scriptedEmbeddings();
    vi.stubEnv('OPENAI_BASE_URL', server.url);
    vi.stubEnv('OPENAI_API_KEY', 'any');
    const first = createClient({ workspace: folder });
    await first.agent({ name: 'alice' }).memory.search('opens the model');
    await first.agent({ name: 'alice' }).memory.add({ content: 'My kitten sleeps.' });
    await first.close();
    await chooseNextModel({ workspace: folder, name: 'openai/words@64' });
    expect(config()).toContain('openai/words@64');

    const second = createClient({ workspace: folder });
    const { memory } = second.agent({ name: 'alice' });
    const { embedder } = await second.open();
    expect(await memory.search('a pet')).toHaveLength(1);
    await memory.add({ content: 'My puppy plays.' });
    expect(await embedder.health()).toMatchObject({
      model: expect.stringContaining('static/'),
      embedded: 2,
      problem: expect.stringContaining('run "keepsake re-embed"'),
    });
    const progress: number[] = [];
    const report = await second.reEmbed({ onProgress: ({ done }) => progress.push(done) });
    expect(report).toMatchObject({ model: 'openai/words@64', switched: true, made: 2, missing: 0 });
    expect(progress).toEqual([0, 2]);
    expect(await embedder.health()).toMatchObject({ model: 'openai/words@64', embedded: 2, problem: null });
    expect((await second.reindex()).vectors).toBe(2);
    await second.close();
    await server.close();
  });

  it('ends the same way the second time when there is a text that it cannot take', async () => {
    const { folder } = workspace();
    const first = createClient({ workspace: folder });
    await first.agent({ name: 'alice' }).memory.search('opens the model');
    for (const content of ['My kitten sleeps.', 'poison'])
      await first.agent({ name: 'alice' }).memory.add({ content });
    await first.close();
    const model = {
      ...{ id: 'test/picky@2', dimensions: 2, batchSize: 8, calibration: { unrelated: 0, same: 1 } },
      async embed(texts: readonly string[]) {
        if (texts.includes('poison')) throw new KeepsakeError('INVALID_INPUT', '400: input invalid');
        return texts.map(() => Float32Array.of(1, 0));
      },
    };
    const second = createClient({ workspace: folder, embedding: model });
    expect(await second.reEmbed()).toMatchObject({ switched: true, made: 1, missing: 1 });
    expect(await second.reEmbed()).toMatchObject({ switched: false, made: 0, missing: 1 });
    await second.close();
  });
});

/** Changing the embedding model changes one value of the configuration file and nothing else. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { withValue } from '../../src/administration/edit-jsonc.ts';
import { workspaceInit } from '../../src/administration/init.ts';
import { modelsUse } from '../../src/administration/models-use.ts';
import { createClient } from '../../src/index.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const withEmbedding = (text: string, name: string) => withValue(text, ['models', 'embedding'], name);

describe('the line of the model', () => {
  it.each([
    ['an empty object', '{}'],
    ['a file of comments', '// nothing yet\n'],
    ['another value', '{\n  // why\n  "models": { "embedding": "static" }, // after\n}\n'],
    ['a block without the key', '{\n  "models": {\n    "main": "none", // keep\n  },\n}\n'],
    ['a byte order mark', '\ufeff{ "models": {} }'],
    ['tabs', '{\n\t"name": "a"\n}\n'],
  ])('sets it in %s', (_, text) => {
    const changed = withEmbedding(text, 'bge-small');
    expect(parse(changed.replace('\ufeff', ''))).toMatchObject({ models: { embedding: 'bge-small' } });
    for (const comment of text.match(/\/\/.*$/gm) ?? []) expect(changed).toContain(comment);
    expect(changed.startsWith('\ufeff')).toBe(text.startsWith('\ufeff'));
    expect(withEmbedding(changed, 'bge-small')).toBe(changed);
  });

  it('keeps line endings and indentation', () => {
    expect(withEmbedding('{\r\n\t"name": "a"\r\n}\r\n', 'none')).toBe(
      '{\r\n\t"name": "a",\r\n\t"models": {\r\n\t\t"embedding": "none"\r\n\t}\r\n}\r\n',
    );
  });
});

describe('modelsUse', () => {
  function workspace(): string {
    const folder = temporaryFolder();
    workspaceInit({ folder });
    return folder;
  }

  it('changes one place of the starter file, and says what was there before', async () => {
    const folder = workspace();
    const file = join(folder, 'keepsake.jsonc');
    const before = readFileSync(file, 'utf8');
    expect(await modelsUse({ workspace: folder, name: 'none' })).toMatchObject({
      name: 'none',
      previous: 'static',
      changed: true,
      file,
    });
    const after = readFileSync(file, 'utf8');
    expect(parse(after)).toEqual({ ...(parse(before) as object), models: { embedding: 'none' } });
    for (const line of before.split('\n')) expect(after).toContain(line);
    expect(await modelsUse({ workspace: folder, name: 'none' })).toMatchObject({ changed: false });
  });

  it.each([
    ['bge-small', 'NOT_FOUND', 'models pull bge-small'],
    ['nonsense', 'INVALID_INPUT', 'models list'],
    ['acme/embed', 'INVALID_INPUT', 'models list'],
    ['openai/foo@0', 'INVALID_INPUT', 'models list'],
    ['openai/foo@abc', 'INVALID_INPUT', 'models list'],
    ['ollama/foo@', 'INVALID_INPUT', 'models list'],
  ])('leaves the file alone when %s cannot be used', async (name, code, hint) => {
    const folder = workspace();
    const before = readFileSync(join(folder, 'keepsake.jsonc'), 'utf8');
    // A folder without models, wherever the user of this machine keeps his.
    process.env.XDG_CACHE_HOME = folder;
    try {
      await expect(modelsUse({ workspace: folder, name })).rejects.toMatchObject({
        code,
        hint: expect.stringContaining(hint),
      });
    } finally {
      delete process.env.XDG_CACHE_HOME;
    }
    expect(readFileSync(join(folder, 'keepsake.jsonc'), 'utf8')).toBe(before);
  });

  it('changes neither a file that is wrong nor a workspace that has none', async () => {
    const folder = temporaryFolder();
    await expect(modelsUse({ workspace: folder, name: 'none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    writeFileSync(join(folder, 'keepsake.jsonc'), '{ "models": ');
    await expect(modelsUse({ workspace: folder, name: 'none' })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
    });
  });

  it('names the model whose vectors are there, whatever was configured before', async () => {
    const folder = workspace();
    expect(await modelsUse({ workspace: folder, name: 'static' })).toMatchObject({
      vectors: null,
      inUse: false,
    });
    const client = createClient({ workspace: folder });
    await client.agent({ name: 'alice' }).memory.search('opens the model');
    await client.agent({ name: 'alice' }).memory.add({ content: 'My kitten sleeps.' });
    await client.close();
    const vectors = expect.stringMatching(/^static\//);
    expect(await modelsUse({ workspace: folder, name: 'static' })).toMatchObject({ vectors, inUse: true });
    expect(await modelsUse({ workspace: folder, name: 'openai' })).toMatchObject({ vectors, inUse: false });
    // Not of openai, which was configured and never made one.
    expect(await modelsUse({ workspace: folder, name: 'ollama/words' })).toMatchObject({
      previous: 'openai',
      vectors,
      inUse: false,
    });
    expect(await modelsUse({ workspace: folder, name: 'static' })).toMatchObject({ inUse: true });
  });
});

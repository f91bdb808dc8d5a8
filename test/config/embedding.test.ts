/** From the name in the configuration to an embedding model, and to what it still needs. */
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  adoptEmbedding,
  type EmbeddingPlace,
  listEmbeddings,
  openEmbedding,
} from '../../src/config/embedding.ts';
import { loadConfig, parseConfig } from '../../src/config/index.ts';
import type { EmbeddingModel } from '../../src/ports/embedding-model.ts';
import { scriptedEmbeddings } from '../../src/testing/index.ts';
import { temporaryFolder } from './temporary-folder.ts';

function placeWith(
  models: Partial<EmbeddingPlace['models']>,
  env: EmbeddingPlace['env'] = {},
  root = temporaryFolder(),
): EmbeddingPlace {
  return { models: parseConfig({ models }).models, env: { HOME: root, ...env }, root };
}

/** Files of the right size, which is all that is looked at before the model is used. */
function plant(folder: string, model: number, tokenizer: number): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of [
    ['model.onnx', model],
    ['tokenizer.json', tokenizer],
  ] as const) {
    writeFileSync(join(folder, name), '');
    truncateSync(join(folder, name), bytes);
  }
}

describe('openEmbedding', () => {
  test('"none" is no model', async () => {
    expect(await openEmbedding(placeWith({ embedding: 'none' }))).toBeUndefined();
  });

  test('the default stays "static", also with a key in the environment', async () => {
    const { config } = loadConfig({ workspace: temporaryFolder(), env: { OPENAI_API_KEY: 'sk-x' } });
    expect(config.models.embedding).toBe('static');
    const model = await openEmbedding(placeWith({}, { OPENAI_API_KEY: 'sk-x' }));
    expect(model?.id).toMatch(/^static\//);
  });

  test.each([
    ['openai', 'openai/text-embedding-3-small@512', 512],
    ['openai/text-embedding-3-small', 'openai/text-embedding-3-small@512', 512],
    ['openai/text-embedding-3-small@256', 'openai/text-embedding-3-small@256', 256],
    ['openai/text-embedding-3-large', 'openai/text-embedding-3-large', 3072],
    ['ollama/nomic-embed-text:latest', 'ollama/nomic-embed-text:latest', 0],
    ['ollama/nomic-embed-text@768', 'ollama/nomic-embed-text@768', 768],
  ])('E-02: %j is %s', async (embedding, id, dimensions) => {
    const model = await openEmbedding(placeWith({ embedding }, { OPENAI_API_KEY: 'sk-x' }));
    expect(model).toMatchObject({ id, dimensions });
  });

  test('says which variable is missing', async () => {
    for (const OPENAI_API_KEY of [undefined, ' ']) {
      await expect(
        openEmbedding(placeWith({ embedding: 'openai' }, { OPENAI_API_KEY })),
      ).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
        hint: expect.stringContaining('OPENAI_API_KEY'),
      });
    }
  });

  test('refuses a provider that nobody knows', async () => {
    await expect(openEmbedding(placeWith({ embedding: 'acme/embed' }))).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      hint: expect.stringContaining('createClient'),
    });
  });

  test('a local model that is not there names the command that fetches it', async () => {
    await expect(openEmbedding(placeWith({ embedding: 'bge-small' }))).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('keepsake models pull bge-small'),
    });
  });

  test('a local model is found in the workspace and in the cache', async () => {
    const root = temporaryFolder();
    plant(join(root, 'models/bge-small'), 34_014_426, 711_396);
    const cache = temporaryFolder();
    plant(join(cache, 'keepsake/models/minilm'), 22_972_370, 711_661);
    for (const embedding of ['bge-small', 'minilm']) {
      const place = placeWith({ embedding }, { XDG_CACHE_HOME: cache }, root);
      expect(await openEmbedding(place)).toMatchObject({
        dimensions: 384,
        id: expect.stringContaining('onnx/'),
      });
    }
    // One byte short: a download that was not finished.
    plant(join(root, 'models/bge-small'), 34_014_425, 711_396);
    await expect(openEmbedding(placeWith({ embedding: 'bge-small' }, {}, root))).rejects.toThrow(
      'not on this machine',
    );
  });
});

describe('keys', () => {
  test('of OpenAI go where the environment says, and never where the file says', async () => {
    const server = await scriptedEmbeddings();
    const keys = { OPENAI_API_KEY: 'sk-openai', KEEPSAKE_EMBEDDING_API_KEY: 'sk-own' };
    const ask = async (models: Partial<EmbeddingPlace['models']>, env: EmbeddingPlace['env']) => {
      const model = await openEmbedding(placeWith(models, env));
      await model!.embed(['red'], 'document');
      return server.requests.at(-1)!.headers.authorization;
    };
    try {
      const byEnvironment = { ...keys, OPENAI_BASE_URL: server.url };
      expect(await ask({ embedding: 'openai' }, byEnvironment)).toBe('Bearer sk-openai');
      expect(await ask({ embedding: 'openai' }, { OPENAI_BASE_URL: server.url })).toBeUndefined();
      const inFile = { embedding: 'openai/some-model', embeddingUrl: server.url };
      expect(await ask(inFile, byEnvironment)).toBe('Bearer sk-own');
      expect(await ask(inFile, { OPENAI_API_KEY: 'sk-openai' })).toBeUndefined();
      expect(await ask({ embedding: 'ollama/x', embeddingUrl: server.url }, byEnvironment)).toBe(
        'Bearer sk-own',
      );
    } finally {
      await server.close();
    }
  });

  test('an address must be one of the web', () => {
    expect(() => parseConfig({ models: { embeddingUrl: 'file:///etc/passwd' } })).toThrow(
      'models.embeddingUrl',
    );
  });
});

describe('listEmbeddings', () => {
  test('shows every model, what it needs, and the one in use', async () => {
    const entries = await listEmbeddings(placeWith({}));
    expect(entries.map(({ name }) => name)).toEqual([
      'static',
      'bge-small',
      'minilm',
      'openai/text-embedding-3-small@512',
      'none',
    ]);
    expect(entries.filter(({ active }) => active).map(({ name }) => name)).toEqual(['static']);
    expect(entries[1]).toMatchObject({ installed: false, ready: false, dimensions: 384 });
    expect(entries[1]!.missing).toContain('keepsake models pull bge-small');
    expect(entries[3]).toMatchObject({ ready: false, missing: 'set $OPENAI_API_KEY', dimensions: 512 });
  });

  test('knows an alias, and adds a model that has no row of its own', async () => {
    const withAlias = await listEmbeddings(placeWith({ embedding: 'openai' }, { OPENAI_API_KEY: 'x' }));
    expect(withAlias.find(({ active }) => active)).toMatchObject({
      name: 'openai/text-embedding-3-small@512',
      ready: true,
    });
    const place = placeWith({ embedding: 'ollama/x', embeddingUrl: 'http://me:secret@host:1/v1' });
    const own = (await listEmbeddings(place)).find(({ active }) => active);
    expect(own).toMatchObject({ name: 'ollama/x', where: 'http://host:1/v1', dimensions: null });
  });
});

describe('adoptEmbedding', () => {
  test('E-38: takes a model of our own kind as it is, and wraps one of the AI SDK', async () => {
    const own: EmbeddingModel = {
      id: 'own',
      dimensions: 1,
      batchSize: 1,
      calibration: { unrelated: 0, same: 1 },
      embed: async (texts) => texts.map(() => Float32Array.of(1)),
    };
    expect(await adoptEmbedding(own)).toBe(own);
    const doEmbed = async ({ values }: { values: string[] }) => ({ embeddings: values.map(() => [3, 4]) });
    const wrapped = await adoptEmbedding({ provider: 'acme', modelId: 'small', doEmbed });
    expect(wrapped.id).toBe('ai-sdk/acme/small');
    const [vector] = await wrapped.embed(['red'], 'document');
    expect([...vector!].map((value) => value.toFixed(4))).toEqual(['0.6000', '0.8000']);
  });

  test('refuses anything else', async () => {
    await expect(adoptEmbedding({} as EmbeddingModel)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

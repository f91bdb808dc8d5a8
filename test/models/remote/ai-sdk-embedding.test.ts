/** Models of the AI SDK by their shape: a class like those of its providers, calling a real server. */
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type AiSdkEmbeddingModel,
  createAiSdkEmbedding,
  isAiSdkEmbeddingModel,
} from '../../../src/models/remote/ai-sdk-embedding.ts';
import { type ScriptedEmbeddings, scriptedEmbeddings } from '../../../src/testing/index.ts';

let server: ScriptedEmbeddings;

beforeEach(async () => {
  server = await scriptedEmbeddings({ dimensions: 12 });
  return () => server.close();
});

/** As a provider package makes it: methods on a prototype, errors that say whether they pass. */
class ProviderModel implements AiSdkEmbeddingModel {
  readonly specificationVersion = 'v3';
  readonly provider = 'example.embedding';
  readonly modelId = 'small';
  readonly maxEmbeddingsPerCall: AiSdkEmbeddingModel['maxEmbeddingsPerCall'];

  constructor(most?: AiSdkEmbeddingModel['maxEmbeddingsPerCall']) {
    this.maxEmbeddingsPerCall = most;
  }

  async doEmbed({ values, abortSignal }: { values: string[]; abortSignal?: AbortSignal }) {
    const response = await fetch(`${server.url}/embeddings`, {
      method: 'POST',
      body: JSON.stringify({ model: this.modelId, input: values }),
      ...(abortSignal === undefined ? {} : { signal: abortSignal }),
    });
    if (!response.ok) {
      const isRetryable = response.status >= 500;
      throw Object.assign(new Error(`status ${response.status}`), { isRetryable });
    }
    const { data } = (await response.json()) as { data: { embedding: number[] }[] };
    return { embeddings: data.map(({ embedding }) => embedding), warnings: [] };
  }
}

describe('createAiSdkEmbedding', () => {
  it('E-38: makes unit vectors and finds the dimensions out', async () => {
    const model = createAiSdkEmbedding(new ProviderModel());
    expect(model).toMatchObject({ id: 'ai-sdk/example.embedding/small', dimensions: 0 });
    const [red, blank] = await model.embed(['red red', ''], 'document');
    expect(Math.hypot(...red!)).toBeCloseTo(1, 6);
    expect(blank).toEqual(new Float32Array(12));
    expect(model.dimensions).toBe(12);
  });

  it('holds the model to dimensions that were given', async () => {
    const model = createAiSdkEmbedding(new ProviderModel(), { dimensions: 5 });
    expect(model.id).toBe('ai-sdk/example.embedding/small@5');
    await expect(model.embed(['red'], 'document')).rejects.toThrow('12 dimensions instead of 5');
  });

  it.each([
    ['a number', 2],
    ['a promise', Promise.resolve(2)],
  ])('respects the size of a call, given as %s', async (_, most) => {
    await createAiSdkEmbedding(new ProviderModel(most)).embed(['a', 'b', 'c'], 'document');
    expect(server.requests.map(({ body }) => body.input)).toEqual([['a', 'b'], ['c']]);
  });

  it('tries again only what the provider calls retryable', async () => {
    const model = createAiSdkEmbedding(new ProviderModel(), { backoffMs: 1 });
    server.script({ status: 500 });
    expect(await model.embed(['red'], 'document')).toHaveLength(1);
    server.script({ status: 400 });
    await expect(model.embed(['red'], 'document')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('status 400'),
    });
    expect(server.requests).toHaveLength(3);
  });

  it('refuses an answer of the wrong shape', async () => {
    const odd = { provider: 'p', modelId: 'm', doEmbed: async () => ({ vectors: [] }) };
    const model = createAiSdkEmbedding(odd as unknown as AiSdkEmbeddingModel);
    await expect(model.embed(['red'], 'document')).rejects.toThrow('something that is not a list of vectors');
  });

  it('can be stopped', async () => {
    server.script('hang');
    const controller = new AbortController();
    const call = createAiSdkEmbedding(new ProviderModel()).embed(['red'], 'document', controller.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

it('knows such a model when it sees one', () => {
  expect(isAiSdkEmbeddingModel(new ProviderModel())).toBe(true);
  for (const other of [null, 'openai', {}, { provider: 'x', modelId: 'y' }]) {
    expect(isAiSdkEmbeddingModel(other)).toBe(false);
  }
});

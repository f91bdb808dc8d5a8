/** From the name in the configuration, or an object of the AI SDK, to a reranker. */
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/index.ts';
import { adoptReranker, openReranker, type RerankerPlace } from '../../src/config/reranker.ts';
import { createAiSdkReranker } from '../../src/models/remote/index.ts';
import { rerankingServer } from '../fixtures/reranking-server.ts';

function placeWith(models: Partial<RerankerPlace['models']>, env: RerankerPlace['env'] = {}): RerankerPlace {
  return { models: parseConfig({ models }).models, env };
}

describe('openReranker', () => {
  it('is none unless one is named, whatever keys there are', async () => {
    expect(await openReranker(placeWith({}, { COHERE_API_KEY: 'x', JINA_API_KEY: 'x' }))).toBeUndefined();
  });

  it('opens a server of the user, and sends it a key that was set for it only', async () => {
    const server = await rerankingServer();
    const models = { reranker: 'cohere/rerank-v3.5', rerankerUrl: server.url };
    const texts = ['a key'];
    const keys = { COHERE_API_KEY: 'of-cohere' };
    await (await openReranker(placeWith(models, keys)))!.rerank('key', texts);
    await (await openReranker(placeWith(models, { ...keys, KEEPSAKE_RERANKER_API_KEY: 'own' })))!.rerank(
      'key',
      texts,
    );
    expect(server.received.map(({ authorization }) => authorization)).toEqual([undefined, 'Bearer own']);
    expect(server.received[0]!.body.model).toBe('rerank-v3.5');
  });

  it('takes model names with slashes', async () => {
    const server = await rerankingServer();
    const models = { reranker: 'server/BAAI/bge-reranker-v2-m3', rerankerUrl: server.url };
    await (await openReranker(placeWith(models)))!.rerank('key', ['a key']);
    expect(server.received[0]!.body.model).toBe('BAAI/bge-reranker-v2-m3');
  });

  it('opens without a key, and says at the first question that it needs one', async () => {
    const reranker = await openReranker(placeWith({ reranker: 'jina/jina-reranker-v2' }));
    await expect(reranker!.rerank('key', ['a key'])).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      hint: expect.stringContaining('JINA_API_KEY'),
    });
  });

  it.each([
    ['acme/best', 'is unknown'],
    ['server/best', 'needs the address of its server'],
    ['tei/best', 'needs the address of its server'],
    ['constructor/best', 'is unknown'],
  ])('refuses %s', async (reranker, message) => {
    await expect(openReranker(placeWith({ reranker }))).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining(message),
    });
  });

  it.each([{ reranker: 'cohere' }, { reranker: '' }, { rerankerUrl: 'localhost:80' }])(
    'refuses the form of %j',
    (models) => {
      expect(() => parseConfig({ models })).toThrow(/models\.reranker/);
    },
  );
});

describe('adoptReranker', () => {
  const asked: unknown[] = [];
  const sdk = {
    specificationVersion: 'v3',
    provider: 'cohere.reranking',
    modelId: 'rerank-v3.5',
    async doRerank(options: { readonly query: string; readonly documents: { readonly values: string[] } }) {
      asked.push(options);
      return {
        ranking: options.documents.values
          .map((_, index) => ({ index, relevanceScore: index / 10 }))
          .reverse(),
      };
    },
  };

  it('takes a model of the AI SDK', async () => {
    const reranker = await adoptReranker(sdk);
    expect(reranker.id).toBe('ai-sdk/cohere.reranking/rerank-v3.5');
    expect(await reranker.rerank('which', ['a', 'b', 'c'])).toEqual([0, 0.1, 0.2]);
    expect(asked).toMatchObject([{ query: 'which', documents: { type: 'text', values: ['a', 'b', 'c'] } }]);
  });

  it('is told to stop when it takes too long', async () => {
    const hanging = {
      ...sdk,
      doRerank: ({ abortSignal }: { readonly abortSignal: AbortSignal }) =>
        new Promise<never>((_, reject) =>
          abortSignal.addEventListener('abort', () => reject(abortSignal.reason as Error)),
        ),
    };
    await expect(createAiSdkReranker(hanging, 20).rerank('which', ['a'])).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });

  it('leaves one of our own kind as it is', async () => {
    const own = { id: 'mine', rerank: async () => [] };
    expect(await adoptReranker(own)).toBe(own);
  });

  it.each([null, 'cohere', {}, { provider: 'x', modelId: 'y' }])('refuses %j', async (given) => {
    await expect(adoptReranker(given as never)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

/** Rerankers over HTTP: three formats, and everything that a server can answer instead. */
import { describe, expect, it } from 'vitest';
import { createHttpReranker, type HttpRerankerOptions } from '../../../src/models/remote/index.ts';
import { fakeClock } from '../../../src/testing/index.ts';
import { judgements, type RerankingServer, rerankingServer } from '../../fixtures/reranking-server.ts';

const QUERY = 'small animal';
const TEXTS = ['nothing at all', 'a small animal', 'an animal'];

function reranker({ url }: RerankingServer, more: Partial<HttpRerankerOptions> = {}) {
  return createHttpReranker({
    id: 'server/judge',
    model: 'judge',
    baseUrl: url,
    format: 'documents',
    keyHint: 'Set the environment variable SOME_KEY.',
    ...more,
  });
}

describe('a reranker over HTTP', () => {
  it('gives every text its score, in the order of the texts', async () => {
    const server = await rerankingServer();
    expect(await reranker(server, { apiKey: 'key-1' }).rerank(QUERY, TEXTS)).toEqual([0, 1, 0.5]);
    expect(server.received).toEqual([
      {
        path: '/rerank',
        authorization: 'Bearer key-1',
        body: { model: 'judge', query: QUERY, documents: TEXTS },
      },
    ]);
  });

  it.each([
    [
      'Voyage',
      (asked: Parameters<typeof judgements>[0]) => ({
        data: judgements(asked, (relevance_score) => ({ relevance_score })),
      }),
    ],
    ['TEI', (asked: Parameters<typeof judgements>[0]) => judgements(asked, (score) => ({ score }))],
  ])('reads the answers of %s', async (_, answer) => {
    const server = await rerankingServer();
    server.answer = answer;
    expect(await reranker(server).rerank(QUERY, TEXTS)).toEqual([0, 1, 0.5]);
  });

  it('asks TEI in its own words, and with an address that ends in a slash', async () => {
    const server = await rerankingServer();
    await reranker(server, { format: 'texts', baseUrl: `${server.url}/` }).rerank(QUERY, TEXTS);
    expect(server.received[0]).toMatchObject({ path: '/rerank', body: { query: QUERY, texts: TEXTS } });
    expect(server.received[0]!.body).not.toHaveProperty('model');
  });

  it('makes probabilities of the bare numbers of a model', async () => {
    const server = await rerankingServer();
    server.answer = (asked) => ({
      results: judgements(asked, (value) => ({ relevance_score: 8 * value - 4 })),
    });
    const [none, all, half] = await reranker(server).rerank(QUERY, TEXTS);
    expect(none).toBeCloseTo(0.018, 3);
    expect(all).toBeCloseTo(0.982, 3);
    expect(half).toBe(0.5);
  });

  it('sends nothing where there is nothing to judge', async () => {
    const server = await rerankingServer();
    expect(await reranker(server).rerank(QUERY, [])).toEqual([]);
    expect(server.received).toEqual([]);
  });

  it('sends the beginning of long texts, and no half characters', async () => {
    const server = await rerankingServer();
    await reranker(server).rerank(`${'q'.repeat(9_000)}`, [`${'x'.repeat(7_999)}🎉`]);
    const { query, documents } = server.received[0]!.body;
    expect(query).toHaveLength(8_000);
    expect(documents![0]).toBe(`${'x'.repeat(7_999)}\u{fffd}`);
  });

  it.each([
    ['no JSON', 'UNAVAILABLE', '<html>', /not JSON/],
    ['no list', 'UNAVAILABLE', { ok: true }, /no list of scores/],
    ['null', 'UNAVAILABLE', 'null', /no list of scores/],
    ['too few', 'UNAVAILABLE', { results: [{ index: 0, relevance_score: 1 }] }, /1 scores for 3 texts/],
    ['one twice', 'UNAVAILABLE', [0, 1, 1].map((index) => ({ index, score: 1 })), /text 1 where there are 3/],
    ['a place that is none', 'UNAVAILABLE', [0, 1, 7].map((index) => ({ index, score: 1 })), /text 7/],
    ['no number', 'UNAVAILABLE', [0, 1, 2].map((index) => ({ index, score: 'high' })), /no number/],
  ])('uses nothing of an answer with %s', async (_, code, said, message) => {
    const server = await rerankingServer();
    server.answer = () => said;
    const call = reranker(server).rerank(QUERY, TEXTS);
    await expect(call).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it.each([
    [401, 'UNAUTHORIZED', 'Set the environment variable SOME_KEY.'],
    [404, 'NOT_FOUND', 'has the model "judge"'],
    [429, 'BUSY', 'usually passes'],
    [503, 'UNAVAILABLE', 'usually passes'],
  ])('says what to do about %i', async (status, code, hint) => {
    const server = await rerankingServer();
    server.answer = status;
    const call = reranker(server).rerank(QUERY, TEXTS);
    await expect(call).rejects.toMatchObject({ code, hint: expect.stringContaining(hint) });
  });

  it('hides a password in its address', async () => {
    const server = await rerankingServer();
    server.answer = 404;
    const call = reranker(server, { baseUrl: server.url.replace('//', '//me:secret@') }).rerank(QUERY, TEXTS);
    const error = await call.catch((thrown: unknown) => thrown);
    expect(JSON.stringify(error)).not.toContain('secret');
    expect(String((error as Error).message)).not.toContain('secret');
  });

  it('gives up on a server that does not answer, and leaves it alone for a while', async () => {
    const server = await rerankingServer();
    const clock = fakeClock();
    server.answer = () => new Promise(() => {});
    const model = reranker(server, { timeoutMs: 200, clock });
    const first = await model.rerank(QUERY, TEXTS).catch((error: unknown) => error);
    expect(first).toMatchObject({ code: 'TIMEOUT' });
    server.answer = undefined;
    // It would answer now, and is not asked: the failure is the one from before.
    expect(await model.rerank(QUERY, TEXTS).catch((error: unknown) => error)).toBe(first);
    clock.advance(15_000);
    expect(await model.rerank(QUERY, TEXTS)).toEqual([0, 1, 0.5]);
  });

  it('says where nobody listens', async () => {
    const model = reranker({ url: 'http://127.0.0.1:9', received: [], answer: undefined });
    await expect(model.rerank(QUERY, TEXTS)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      hint: expect.stringContaining('http://127.0.0.1:9/rerank'),
    });
  });
});

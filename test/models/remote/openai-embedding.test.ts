/** The HTTP embedding model against a real server that answers properly, badly, late or not at all. */
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { KeepsakeError } from '../../../src/kernel/errors.ts';
import {
  createOpenAiEmbedding,
  type OpenAiEmbeddingOptions,
  retryAfter,
} from '../../../src/models/remote/openai-embedding.ts';
import { type ScriptedEmbeddings, scriptedEmbeddings } from '../../../src/testing/index.ts';

const KEY = 'sk-test-0123456789';

let server: ScriptedEmbeddings;

beforeEach(async () => {
  server = await scriptedEmbeddings({ dimensions: 16 });
  return () => server.close();
});

function open(options: Partial<OpenAiEmbeddingOptions> = {}) {
  return createOpenAiEmbedding({
    id: 'openai/test',
    model: 'test',
    baseUrl: server.url,
    apiKey: KEY,
    calibration: { unrelated: 0, same: 1 },
    keyHint: 'Set THE_VARIABLE.',
    backoffMs: 1,
    ...options,
  });
}

async function failure(call: Promise<unknown>): Promise<KeepsakeError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!KeepsakeError.is(error)) throw new Error(`expected a KeepsakeError, got ${error}`);
  // Nowhere in what a person or a log may see.
  expect(JSON.stringify(error.toJSON()) + error.stack).not.toContain(KEY);
  return error;
}

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);

const vectors = (...embeddings: unknown[]) => ({
  body: { data: embeddings.map((embedding, index) => ({ index, embedding })) },
});

describe('a call', () => {
  it('E-02: has one unit vector per text, in order', async () => {
    const model = open({ id: 'openai/test@16', shortenTo: 16 });
    const [a, b, c] = await model.embed(['red apple', 'green pear', 'apple red'], 'document');
    expect(cosine(a!, a!)).toBeCloseTo(1, 6);
    expect(cosine(a!, c!)).toBeCloseTo(1, 6);
    expect(cosine(a!, b!)).toBeLessThan(0.9);
    expect(model).toMatchObject({ id: 'openai/test@16', dimensions: 16 });
  });

  it('sends model, texts, dimensions and key in the format of OpenAI', async () => {
    await open({ shortenTo: 8 }).embed(['red'], 'query');
    expect(server.requests).toMatchObject([
      {
        path: '/v1/embeddings',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: { model: 'test', input: ['red'], dimensions: 8, encoding_format: 'float' },
      },
    ]);
  });

  it('sends neither key nor dimensions when there are none', async () => {
    await open({ apiKey: undefined, baseUrl: `${server.url}/` }).embed(['red'], 'document');
    const [request] = server.requests;
    expect(request!.path).toBe('/v1/embeddings');
    expect(request!.headers).not.toHaveProperty('authorization');
    expect(request!.body).not.toHaveProperty('dimensions');
  });

  it('learns the dimensions from the first answer and holds the server to them', async () => {
    const model = open();
    expect(model.dimensions).toBe(0);
    await model.embed(['red'], 'document');
    expect(model.dimensions).toBe(16);
    server.script(vectors([1, 0]));
    expect((await failure(model.embed(['red'], 'document'))).message).toContain('2 dimensions instead of 16');
  });

  it('puts vectors in the order of their index, whatever the order of the answer', async () => {
    server.script({
      body: {
        data: [
          { index: 1, embedding: [0, 2] },
          { index: 0, embedding: [3, 0] },
        ],
      },
    });
    expect(await open().embed(['a', 'b'], 'document')).toEqual([
      Float32Array.of(1, 0),
      Float32Array.of(0, 1),
    ]);
  });

  it('gives blank texts zeros without sending them', async () => {
    const [blank, red] = await open().embed(['  \n', 'red'], 'document');
    expect(blank).toEqual(new Float32Array(16));
    expect(red).not.toEqual(blank);
    expect(server.requests.map(({ body }) => body.input)).toEqual([['red']]);
    expect(await open().embed([''], 'document')).toEqual([new Float32Array(16)]);
    expect(await open().embed([], 'document')).toEqual([]);
  });

  it('cuts a text that no model would read to its end, and mends half characters', async () => {
    await open().embed([`${'a'.repeat(20_000)}`, 'half \ud83d'], 'document');
    const [long, half] = server.requests[0]!.body.input;
    expect(long).toHaveLength(8_000);
    expect(half).toBe('half \ufffd');
  });
});

describe('batches', () => {
  it('have at most 96 texts', async () => {
    const texts = Array.from({ length: 200 }, (_, i) => `word${i}`);
    const all = await open().embed(texts, 'document');
    expect(server.requests.map(({ body }) => body.input.length)).toEqual([96, 96, 8]);
    const [alone] = await open().embed(['word150'], 'document');
    expect(all[150]).toEqual(alone);
  });

  it('have at most 200,000 characters', async () => {
    const texts = Array.from({ length: 30 }, () => 'x'.repeat(8_000));
    await open().embed(texts, 'document');
    expect(server.requests.map(({ body }) => body.input.length)).toEqual([25, 5]);
  });
});

describe('a failure that passes', () => {
  it.each([
    ['429', { status: 429, headers: { 'retry-after': '0' } }],
    ['500', { status: 500, body: 'oops' }],
    ['503', { status: 503 }],
    ['a connection that breaks', 'cut'],
    ['half an answer', { body: '{"data":[{"embedd' }],
  ] as const)('%s is tried again', async (_, step) => {
    server.script(step, step);
    expect(await open().embed(['red'], 'document')).toHaveLength(1);
    expect(server.requests).toHaveLength(3);
  });

  it.each([
    [429, 'BUSY'],
    [500, 'UNAVAILABLE'],
  ] as const)('%i for ever is given up as %s, which may be tried later', async (status, code) => {
    server.script(
      ...Array.from({ length: 9 }, () => ({ status, body: { error: { message: `no ${KEY}` } } })),
    );
    const error = await failure(open({ retries: 2 }).embed(['red'], 'document'));
    expect(error).toMatchObject({ code, retryable: true });
    expect(error.message).toContain('no ***');
    expect(server.requests).toHaveLength(3);
  });

  it('a server that nobody reaches is UNAVAILABLE and named', async () => {
    await server.close();
    const error = await failure(open({ retries: 1 }).embed(['red'], 'document'));
    expect(error).toMatchObject({ code: 'UNAVAILABLE' });
    expect(error.hint).toContain(server.url);
  });

  it('a server that hangs is a TIMEOUT', async () => {
    server.script('hang', 'hang');
    const error = await failure(open({ retries: 1, timeoutMs: 30 }).embed(['red'], 'document'));
    expect(error).toMatchObject({ code: 'TIMEOUT', retryable: true });
    expect(server.requests).toHaveLength(2);
  });

  it('waits as long as the server asks for, but not for an hour', async () => {
    server.script({ status: 429, headers: { 'retry-after': '3600' } });
    expect(await failure(open().embed(['red'], 'document'))).toMatchObject({ code: 'BUSY' });
    expect(server.requests).toHaveLength(1);
    const now = Date.UTC(2026, 10, 16, 12, 0, 0);
    const read = (headers: Record<string, string>) => retryAfter(new Headers(headers), now);
    expect(read({ 'retry-after': '1.5' })).toBe(1500);
    expect(read({ 'retry-after-ms': '20', 'retry-after': '9' })).toBe(20);
    expect(read({ 'retry-after': 'Mon, 16 Nov 2026 12:00:07 GMT' })).toBe(7000);
    expect(read({ 'retry-after': 'Mon, 16 Nov 2026 11:00:00 GMT' })).toBe(0);
    expect(read({ 'retry-after': 'soon' })).toBeUndefined();
    expect(read({})).toBeUndefined();
  });
});

describe('a failure that stays', () => {
  it.each([
    [401, {}, 'UNAUTHORIZED', 'Set THE_VARIABLE.'],
    [403, { error: { message: KEY } }, 'UNAUTHORIZED', 'Set THE_VARIABLE.'],
    [404, { error: 'model "test" not found' }, 'NOT_FOUND', 'has the model "test"'],
    [400, { error: { message: 'bad dimensions' } }, 'INVALID_INPUT', 'dimensions'],
    [413, {}, 'TOO_LARGE', ''],
    [429, { error: { code: 'insufficient_quota', message: 'pay' } }, 'UNAVAILABLE', 'quota'],
  ])('%i is not tried again', async (status, body, code, hint) => {
    server.script({ status, body });
    const error = await failure(open().embed(['red'], 'document'));
    expect(error.code).toBe(code);
    expect(error.hint).toContain(hint);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['too few vectors', vectors([1, 2]), '1 vectors for 2 texts'],
    ['too many vectors', vectors([1], [1], [1]), '3 vectors for 2 texts'],
    ['two lengths', vectors([1, 2], [1]), '1 dimensions instead of 2'],
    ['nothing in it', vectors([], []), '0 dimensions'],
    ['null for a number', vectors([1, 2], [1, null]), 'not a number at place 1 of vector 1'],
    ['text for a vector', vectors('abc', 'abc'), 'not a list'],
    ['an answer of another kind', { body: { embeddings: [] } }, 'something that is not a list of vectors'],
    [
      'one index twice',
      {
        body: {
          data: [
            { index: 1, embedding: [1] },
            { index: 1, embedding: [1] },
          ],
        },
      },
      'not a list',
    ],
  ])('%s is refused in words', async (_, step, message) => {
    server.script(step);
    const error = await failure(open().embed(['red', 'green'], 'document'));
    expect(error).toMatchObject({ code: 'UNAVAILABLE' });
    expect(error.message).toContain('openai/test');
    expect(error.message).toContain(message);
  });
});

describe('stopping', () => {
  it('ends a call that hangs, and a pause between two', async () => {
    for (const step of ['hang', { status: 429, headers: { 'retry-after': '30' } }] as const) {
      server.script(step);
      const controller = new AbortController();
      const call = open().embed(['red'], 'document', controller.signal);
      const before = server.requests.length;
      await expect.poll(() => server.requests.length).toBeGreaterThan(before);
      controller.abort();
      expect(await failure(call)).toMatchObject({ code: 'ABORTED' });
    }
  });

  it('makes no call when it was stopped before', async () => {
    onTestFinished(() => expect(server.requests).toHaveLength(0));
    expect(await failure(open().embed(['red'], 'document', AbortSignal.abort()))).toMatchObject({
      code: 'ABORTED',
    });
  });
});

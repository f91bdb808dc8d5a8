/** The scripted model as users meet it: asked by the AI SDK itself and by plain fetch, streaming or not. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, jsonSchema, type LanguageModel, streamText, tool } from 'ai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedModel, scriptedModel } from '../../src/testing/index.ts';

let server: ScriptedModel;

beforeEach(async () => {
  server = await scriptedModel();
});

afterEach(() => server.close());

const settings = () => ({ apiKey: 'secret-key', baseURL: server.url });

const CLIENTS: [format: string, model: () => LanguageModel][] = [
  ['openai-responses', () => createOpenAI(settings())('gpt-5-mini')],
  ['openai-chat', () => createOpenAI(settings()).chat('gpt-4o')],
  ['openai-chat', () => createOpenAICompatible({ ...settings(), name: 'local' })('qwen')],
  ['anthropic', () => createAnthropic(settings())('claude-haiku-4-5')],
  ['google', () => createGoogleGenerativeAI(settings())('gemini-2.5-flash')],
];

/** Called by the AI SDK by itself, unlike by our own models. */
const tools = {
  weather: tool({
    description: 'Weather of a town.',
    inputSchema: jsonSchema<{ town: string }>({ type: 'object', properties: { town: { type: 'string' } } }),
    execute: async ({ town }) => `rain in ${town}`,
  }),
};

describe.each(CLIENTS)('%s asked by the AI SDK', (format, open) => {
  it('answers in one piece, with tools there and back', async () => {
    server.script(
      { text: 'Let me look.', toolCalls: [{ name: 'weather', arguments: { town: 'Ulm' } }] },
      { text: 'It rains.', usage: { inputTokens: 40, outputTokens: 3 } },
    );
    const { text, finishReason, usage } = await generateText({
      model: open(),
      tools,
      stopWhen: isStepCount(3),
      system: 'Be brief.',
      prompt: 'Weather in Ulm?',
    });
    expect({ text, finishReason }).toEqual({ text: 'It rains.', finishReason: 'stop' });
    expect(usage).toBeDefined();
    expect(server.requests).toMatchObject([
      { format, stream: false, prompt: 'Weather in Ulm?', tools: [{ name: 'weather' }] },
      { format, stream: false },
    ]);
    const [first, second] = server.requests;
    expect(first?.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather in Ulm?' },
    ]);
    const [result] = second!.messages.at(-1)!.content as unknown as [Record<string, unknown>];
    expect(result).toMatchObject({ type: 'toolResult', name: 'weather' });
    expect(String(result.result)).toContain('rain in Ulm');
  });

  it('answers in a stream', async () => {
    server.script({ text: 'One two  three\n', usage: { inputTokens: 40, outputTokens: 3 } });
    const { textStream, usage } = streamText({ model: open(), prompt: 'Count' });
    const pieces: string[] = [];
    for await (const piece of textStream) pieces.push(piece);
    expect(pieces).toEqual(['One', ' two', '  three', '\n']);
    expect(await usage).toMatchObject(
      // Without being asked, this client wants no numbers of a stream.
      format === 'openai-chat' ? {} : { inputTokens: 40, outputTokens: 3 },
    );
  });

  it('refuses in the words of its format', async () => {
    server.script({ status: 422, message: 'not today' });
    await expect(generateText({ model: open(), prompt: 'Hi', maxRetries: 0 })).rejects.toMatchObject({
      statusCode: 422,
      message: expect.stringContaining('not today'),
    });
  });

  it('writes down no key', async () => {
    server.script('Hi.');
    await generateText({ model: open(), prompt: 'Hi' });
    expect(JSON.stringify(server.requests)).not.toContain('secret-key');
    expect(Object.values(server.requests[0]?.headers ?? {})).toContain('***');
  });
});

async function post(path: string, body: unknown): Promise<Response> {
  return fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
}

const chat = (content = 'Hi') =>
  post('/chat/completions', { model: 'm', messages: [{ role: 'user', content }] });

describe('a script', () => {
  it('may be a function, which sees the request and its number', async () => {
    await using echo = await scriptedModel(
      async ({ prompt, model }, index) => `${index} ${model}: ${prompt}`,
    );
    const model = echo.model('any/echo');
    expect((await model.generate({ prompt: 'a' })).text).toBe('0 echo: a');
    expect((await model.generate({ prompt: 'b' })).text).toBe('1 echo: b');
  });

  it('that has come to its end says so at once', async () => {
    server.script('one');
    await chat();
    const response = await chat();
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('no reply left for request 2');
  });

  it('that throws is reported to the caller', async () => {
    await using broken = await scriptedModel(() => {
      throw new Error('expected a question');
    });
    await expect(broken.model().generate({ prompt: 'a' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('expected a question'),
    });
  });

  it('can be late, silent, or break off in the middle, also without a stream', async () => {
    server.script({ text: 'a', delayMs: 30 }, { text: 'abc', cutAfter: 1 }, { text: 'abc', endAfter: 1 });
    expect((await chat()).status).toBe(200);
    await expect((await chat()).text()).rejects.toThrow();
    const half = await (await chat()).text();
    expect(() => JSON.parse(half)).toThrow();
  });

  it('sends JSON as a text, and a reason to wait as a header', async () => {
    server.script({ json: { ok: true } }, { status: 429, retryAfter: 7 });
    expect(await (await chat()).json()).toMatchObject({ choices: [{ message: { content: '{"ok":true}' } }] });
    expect((await chat()).headers.get('retry-after')).toBe('7');
  });
});

it('knows no other paths, and forgets nothing of what it was asked', async () => {
  const response = await post('/embeddings', { input: 'a' });
  expect({ status: response.status, body: await response.text() }).toEqual({
    status: 404,
    body: expect.stringContaining('/v1/embeddings'),
  });
  server.script('a', 'b');
  await chat('first');
  await chat('second');
  expect(server.requests.map(({ prompt }) => prompt)).toEqual(['first', 'second']);
  expect(server.requests[1]?.body).toMatchObject({ model: 'm' });
});

it('is gone when its block ends, also with a request that hangs', async () => {
  let url = '';
  let hanging: Promise<unknown>;
  {
    await using silent = await scriptedModel([{ hang: true }]);
    url = silent.url;
    hanging = silent.model('any/m', { retries: 0 }).generate({ prompt: 'a' });
    hanging.catch(() => {});
    while (silent.requests.length === 0) await new Promise((soon) => setTimeout(soon, 5));
  }
  await expect(hanging).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect(fetch(url)).rejects.toThrow();
});

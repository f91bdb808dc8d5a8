/** Models of the AI SDK that a user made: of this version of its packages, wrapped by `ai`, or of an older specification. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { extractReasoningMiddleware, wrapLanguageModel } from 'ai';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { adoptSdkModel, isSdkLanguageModel } from '../../../src/models/language/index.ts';
import type { ChatRequest } from '../../../src/ports/language-model.ts';
import { type ScriptedModel, scriptedModel } from '../../../src/testing/index.ts';
import { collect } from './collect.ts';

let server: ScriptedModel;

beforeEach(async () => {
  server = await scriptedModel();
});

afterEach(() => server.close());

const request: ChatRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
  ],
};

it('takes what a provider package makes, with its own settings', async () => {
  server.script('Hello.');
  const anthropic = createAnthropic({
    apiKey: 'sk-ant-x',
    baseURL: server.url,
    headers: { 'x-team': 'blue' },
  });
  const model = adoptSdkModel(anthropic('claude-haiku-4-5'));
  expect(model.id).toBe('anthropic/claude-haiku-4-5');
  expect((await model.generate({ prompt: 'Hi' })).text).toBe('Hello.');
  expect(server.requests[0]?.headers).toMatchObject({ 'x-team': 'blue', 'x-api-key': '***' });
});

it('takes what the AI SDK wraps', async () => {
  server.script({ text: '<think>a greeting</think>Hello.' });
  const openai = createOpenAI({ apiKey: 'sk-x', baseURL: server.url });
  const model = adoptSdkModel(
    wrapLanguageModel({
      model: openai('gpt-5-mini'),
      middleware: extractReasoningMiddleware({ tagName: 'think' }),
    }),
  );
  expect(model.id).toBe('openai/gpt-5-mini');
  expect((await model.generate({ prompt: 'Hi' })).text).toBe('Hello.');
});

it('is as patient with them as with its own', async () => {
  server.script({ status: 500 }, { text: ['a', 'b'], hangAfter: 1 });
  const openai = createOpenAI({ apiKey: 'sk-x', baseURL: server.url });
  const model = adoptSdkModel(openai('gpt-5-mini'), { backoffMs: 1, timeoutMs: 1000 });
  await expect(collect(model.chat(request))).rejects.toMatchObject({ code: 'TIMEOUT' });
  expect(server.requests).toHaveLength(2);
});

/** As packages of the second specification: plain numbers, a word as the reason, and a model that ignores its signal. */
class SecondSpecification {
  readonly specificationVersion = 'v2';
  readonly provider = 'example.chat';
  readonly modelId = 'small';
  readonly supportedUrls = {};
  readonly calls: unknown[] = [];
  readonly #parts: readonly object[];

  constructor(parts: readonly object[]) {
    this.#parts = parts;
  }

  async doStream(options: unknown) {
    this.calls.push(options);
    const stream = new ReadableStream<{ type: string }>({
      start: (controller) => {
        for (const part of this.#parts) controller.enqueue(part as { type: string });
        if (this.#parts.some((part) => 'finishReason' in part)) controller.close();
      },
    });
    return { stream };
  }
}

it('takes models of the second specification', async () => {
  const sdk = new SecondSpecification([
    { type: 'stream-start', warnings: [] },
    { type: 'text-delta', id: '1', delta: 'Hel' },
    { type: 'text-delta', id: '1', delta: 'lo' },
    { type: 'tool-call', toolCallId: 'c', toolName: 'weather', input: '{"town":"Ulm"}' },
    { type: 'tool-call', toolCallId: 's', toolName: 'search', input: '{}', providerExecuted: true },
    { type: 'finish', finishReason: 'tool-calls', usage: { inputTokens: 7, outputTokens: undefined } },
  ]);
  expect(isSdkLanguageModel(sdk)).toBe(true);
  const model = adoptSdkModel(sdk);
  expect(model.id).toBe('example/small');
  expect(await collect(model.chat(request))).toEqual([
    { type: 'text', text: 'Hel' },
    { type: 'text', text: 'lo' },
    { type: 'toolCall', id: 'c', name: 'weather', arguments: { town: 'Ulm' } },
    { type: 'finish', reason: 'toolCalls', usage: { inputTokens: 7, outputTokens: 0 } },
  ]);
  expect(sdk.calls).toMatchObject([
    {
      prompt: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      ],
    },
  ]);
});

it.each(['unknown', 'error', 'other'])(
  'does not take "%s" for the end of an answer',
  async (finishReason) => {
    const sdk = new SecondSpecification([
      { type: 'text-delta', id: '1', delta: 'Hel' },
      { type: 'finish', finishReason },
    ]);
    await expect(collect(adoptSdkModel(sdk).chat(request))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
  },
);

it('stops also where a model ignores its signal', async () => {
  const stop = new AbortController();
  const events = adoptSdkModel(new SecondSpecification([{ type: 'text-delta', id: '1', delta: 'Hel' }])).chat(
    {
      ...request,
      signal: stop.signal,
    },
  );
  await expect(
    (async () => {
      for await (const event of events) {
        expect(event).toEqual({ type: 'text', text: 'Hel' });
        stop.abort();
      }
    })(),
  ).rejects.toMatchObject({ code: 'ABORTED' });
});

it('an error of a model that is no error of HTTP is told once', async () => {
  const sdk = {
    provider: 'example',
    modelId: 'broken',
    calls: 0,
    async doStream(): Promise<never> {
      this.calls++;
      throw new Error('wrong cable');
    },
  };
  await expect(adoptSdkModel(sdk).generate({ prompt: 'Hi' })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'The model example/broken failed: wrong cable',
  });
  expect(sdk.calls).toBe(1);
});

it.each([undefined, null, 'openai/gpt-5', {}, { provider: 'a', modelId: 'b' }])(
  '%j is no such model',
  (value) => {
    expect(isSdkLanguageModel(value)).toBe(false);
  },
);

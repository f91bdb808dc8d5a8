/** Roles: the light model falls back on the main one, and every call is on the account, once. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createModels } from '../../../src/models/language/index.ts';
import type { ModelCall } from '../../../src/ports/model-meter.ts';
import { type ScriptedModel, scriptedModel } from '../../../src/testing/index.ts';
import { collect } from './collect.ts';

let main: ScriptedModel;
let light: ScriptedModel;

beforeEach(async () => {
  main = await scriptedModel();
  light = await scriptedModel();
});

afterEach(async () => {
  await main.close();
  await light.close();
});

const quick = { retries: 0, timeoutMs: 1000 };
const prompt = { prompt: 'Summarise.' };

const open = (onCall?: (call: ModelCall) => void) =>
  createModels({
    main: main.model('openai/gpt-5', quick),
    light: light.model('openai/gpt-5-nano', quick),
    onCall,
  });

describe('the light model', () => {
  it('does its work alone when it can', async () => {
    light.script('Short.');
    const models = open();
    expect(models.light.id).toBe('openai/gpt-5-nano');
    expect((await models.light.generate(prompt)).text).toBe('Short.');
    expect(main.requests).toEqual([]);
  });

  it.each([
    ['fails', { status: 500 }],
    ['is silent', { hang: true as const }],
    ['breaks off', { text: 'one two', cutAfter: 1 }],
    ['says nothing', { text: [] }],
    ['says only white space', { text: [' \n'] }],
    ['has a key that is refused', { status: 401 }],
  ])('C-26 is replaced once by the model above it when it %s', async (_, reply) => {
    light.script(reply);
    main.script('By the main one.');
    const models = open();
    expect((await models.light.generate(prompt)).text).toBe('By the main one.');
    expect(models.meter.byRole()).toMatchObject({ main: { calls: 0 }, light: { calls: 2 } });
    expect(light.requests).toHaveLength(1);
    expect(main.requests).toHaveLength(1);
  });

  it('fails when both do, with the error of the main one', async () => {
    light.script({ status: 500 });
    main.script({ status: 401 });
    await expect(open().light.generate(prompt)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      details: { model: 'openai/gpt-5' },
    });
  });

  it('is not replaced when the caller stopped it', async () => {
    light.script({ hang: true });
    const stop = new AbortController();
    const generating = open().light.generate({ ...prompt, signal: stop.signal });
    stop.abort();
    await expect(generating).rejects.toMatchObject({ code: 'ABORTED' });
    expect(main.requests).toEqual([]);
  });

  it('is the main one where there is no other, and is then not asked twice', async () => {
    main.script({ status: 500 });
    const models = createModels({ main: main.model('openai/gpt-5', quick) });
    await expect(models.light.generate(prompt)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(main.requests).toHaveLength(1);
    expect(models.meter.byRole().light).toMatchObject({ calls: 1, unfinished: 1 });
  });
});

describe('C-26 four tiers', () => {
  const of = (server: ScriptedModel, name: string) => server.model(`openai/${name}`, quick);
  const four = (onCall?: (call: ModelCall) => void) =>
    createModels({
      main: of(main, 'standard'),
      heavy: of(main, 'heavy'),
      light: of(light, 'light'),
      local: of(light, 'local'),
      onCall,
    });
  const asked = (server: ScriptedModel) => server.requests.map(({ model }) => model);

  it('escalate one by one, from the one on the own machine to the heaviest', async () => {
    light.script({ status: 500 }, { status: 401 });
    main.script({ text: [] }, 'By the heavy one.');
    const calls: ModelCall[] = [];
    const models = four((call) => calls.push(call));
    expect((await models.light.generate(prompt)).text).toBe('By the heavy one.');
    expect([...asked(light), ...asked(main)]).toEqual(['local', 'light', 'standard', 'heavy']);
    expect(calls.map(({ model, role }) => `${model} as ${role}`)).toEqual(
      ['local', 'light', 'standard', 'heavy'].map((name) => `openai/${name} as light`),
    );
  });

  it('an agent thinks with the heavy one only when the main one failed before it said anything', async () => {
    const question = { messages: [{ role: 'user', content: 'Hi' }] } as const;
    main.script({ status: 503 }, 'By the heavy one.', { text: ['Half', ' an'], cutAfter: 1 });
    const models = four();
    const events = await collect(models.main.chat(question));
    expect(events.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe(
      'By the heavy one.',
    );
    expect(models.meter.byRole()).toMatchObject({ main: { calls: 2, unfinished: 1 }, light: { calls: 0 } });
    await expect(collect(models.main.chat(question))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(asked(main)).toEqual(['standard', 'heavy', 'standard']);
  });

  it('is stopped once, and for all of them', async () => {
    main.script({ hang: true });
    const stop = new AbortController();
    const chatting = collect(
      four().main.chat({ messages: [{ role: 'user', content: 'Hi' }], signal: stop.signal }),
    );
    stop.abort();
    await expect(chatting).rejects.toMatchObject({ code: 'ABORTED' });
    expect(asked(main).filter((model) => model === 'heavy')).toEqual([]);
  });
});

describe('the account', () => {
  it('has calls, tokens and cost by model and by role', async () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 100_000 };
    main.script({ text: 'a', usage }, { text: 'b', usage });
    light.script({ text: 'c', usage });
    const calls: ModelCall[] = [];
    const { main: thinking, light: summing, meter } = open((call) => calls.push(call));
    await collect(thinking.chat({ messages: [{ role: 'user', content: 'Hi' }] }));
    await thinking.generate(prompt);
    await summing.generate(prompt);
    const big = { calls: 2, unfinished: 0, inputTokens: 2_000_000, outputTokens: 200_000, cost: 4.5 };
    const small = { calls: 1, unfinished: 0, inputTokens: 1_000_000, outputTokens: 100_000, cost: 0.09 };
    expect(meter.byModel()).toEqual({ 'openai/gpt-5': big, 'openai/gpt-5-nano': small });
    expect(meter.byRole()).toEqual({ main: big, light: small });
    expect(meter.total()).toEqual({
      calls: 3,
      unfinished: 0,
      inputTokens: 3_000_000,
      outputTokens: 300_000,
      cost: 4.59,
    });
    expect(calls.map(({ model, role, cost }) => [model, role, cost])).toEqual([
      ['openai/gpt-5', 'main', 2.25],
      ['openai/gpt-5', 'main', 2.25],
      ['openai/gpt-5-nano', 'light', 0.09],
    ]);
  });

  it('counts what failed and what was left in the middle, without tokens', async () => {
    main.script({ text: ['a', 'b'] }, { status: 500 });
    const { main: model, meter } = open();
    for await (const _ of model.chat({ messages: [{ role: 'user', content: 'Hi' }] })) break;
    await expect(model.generate(prompt)).rejects.toThrow();
    expect(meter.total()).toEqual({ calls: 2, unfinished: 2, inputTokens: 0, outputTokens: 0, cost: 0 });
  });

  it('of a run of its own counts in the whole as well', async () => {
    main.script('a', 'b');
    const models = open();
    const calls: ModelCall[] = [];
    const run = models.fork((call) => calls.push(call));
    await run.main.generate(prompt);
    await models.main.generate(prompt);
    expect(run.meter.total().calls).toBe(1);
    expect(models.meter.total().calls).toBe(2);
    expect(calls).toMatchObject([{ model: 'openai/gpt-5', role: 'main' }]);
  });

  it.each([
    ['openai/gpt-4o-2024-08-06', 12.5],
    ['anthropic/claude-haiku-4-5-20251001', 6],
    ['google/gemini-2.5-flash', 2.8],
    ['ollama/qwen3', 0],
    ['openai/gpt-99', null],
    ['compatible/gpt-4o', null],
    ['compatible/own', 3],
    ['openai/o3', 300],
  ])('a million tokens each way of %s cost %s dollars', async (id, cost) => {
    main.script({ text: 'a', usage: { inputTokens: 1_000_000, outputTokens: 1_000_000 } });
    const prices = { 'compatible/own': { input: 1, output: 2 }, 'openai/o3': { input: 100, output: 200 } };
    const models = createModels({ main: main.model(id), prices });
    await models.main.generate(prompt);
    const total = models.meter.total().cost;
    if (cost === null) expect(total).toBeNull();
    else expect(total).toBeCloseTo(cost, 9);
  });
});

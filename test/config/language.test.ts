/** From the name in the configuration to a language model: its server, its key, and nobody else's key. */
import { createOpenAI } from '@ai-sdk/openai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type ConfigInput,
  type LanguageModelInput,
  type LanguagePlace,
  loadConfig,
  openLanguageModel,
  openModels,
  parseConfig,
} from '../../src/config/index.ts';
import { readLanguageChoice } from '../../src/config/language-choice.ts';
import type { ChatModel } from '../../src/ports/language-model.ts';
import { type ScriptedModel, scriptedModel } from '../../src/testing/index.ts';
import { temporaryFolder } from './temporary-folder.ts';

let server: ScriptedModel;

beforeEach(async () => {
  server = await scriptedModel(() => 'Hello.');
});

afterEach(() => server.close());

const placeWith = (models: ConfigInput['models'] = {}, env: LanguagePlace['env'] = {}): LanguagePlace => ({
  models: parseConfig({ models }).models,
  env,
});

async function answerOf(name: string, place: LanguagePlace): Promise<string | undefined> {
  const model = await openLanguageModel(name, place);
  return (await model?.generate({ prompt: 'Hi' }))?.text;
}

describe('a name', () => {
  test.each([
    ['openai/gpt-5', { OPENAI_API_KEY: 'k' }, 'openai-responses', 'https://api.openai.com/v1', 'k'],
    [
      'openai/gpt-5',
      { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://proxy/v1' },
      'openai-chat',
      'http://proxy/v1',
      'k',
    ],
    ['openai/gpt-5', { OPENAI_BASE_URL: 'http://proxy/v1' }, 'compatible', 'http://proxy/v1', undefined],
    ['anthropic/claude-x', { ANTHROPIC_API_KEY: 'k' }, 'anthropic', 'https://api.anthropic.com/v1', 'k'],
    [
      'anthropic/claude-x',
      { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://proxy/' },
      'anthropic',
      'http://proxy/v1',
      'k',
    ],
    [
      'google/gemini-x',
      { GEMINI_API_KEY: ' k ' },
      'google',
      'https://generativelanguage.googleapis.com/v1beta',
      'k',
    ],
    [
      'google/gemini-x',
      { GOOGLE_GENERATIVE_AI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: 'http://proxy/v1' },
      'google',
      'http://proxy/v1',
      'k',
    ],
    ['ollama/qwen3:8b', {}, 'compatible', 'http://localhost:11434/v1', undefined],
  ])('%s with %j is asked by %s at %s', (name, env, format, baseUrl, apiKey) => {
    const choice = readLanguageChoice(name, undefined, env);
    expect(choice).toMatchObject({ id: name, format, baseUrl, missingKey: undefined });
    expect(choice?.apiKey).toBe(apiKey);
  });

  test('may have slashes and colons behind the provider', () => {
    expect(readLanguageChoice('compatible/qwen/qwen3:free', 'http://x/v1', {})?.model).toBe(
      'qwen/qwen3:free',
    );
  });

  test('"none" is no model', async () => {
    expect(await openLanguageModel('none', placeWith())).toBeUndefined();
    expect(await openModels({ main: 'none', ...placeWith() })).toBeUndefined();
  });

  test.each([
    ['openai/gpt-5', 'OPENAI_API_KEY'],
    ['anthropic/claude-x', 'ANTHROPIC_API_KEY'],
    ['google/gemini-x', 'GEMINI_API_KEY'],
  ])('%s without a key names %s', async (name, variable) => {
    for (const env of [{}, { [variable]: ' ' }]) {
      await expect(openLanguageModel(name, placeWith({}, env))).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
        hint: expect.stringMatching(new RegExp(`^Set the environment variable ${variable}, .*"ollama/`)),
      });
    }
  });

  test.each([
    ['acme/model', 'INVALID_CONFIG', '"compatible/<model>"'],
    ['gpt-5', 'INVALID_CONFIG', '"openai/<model>"'],
    ['compatible/model', 'INVALID_CONFIG', 'models.baseUrl'],
  ])('%s is refused with what to write instead', async (name, code, hint) => {
    await expect(openLanguageModel(name, placeWith())).rejects.toMatchObject({
      code,
      hint: expect.stringContaining(hint),
    });
  });
});

describe('keys', () => {
  const everyKey = {
    OPENAI_API_KEY: 'sk-openai',
    ANTHROPIC_API_KEY: 'sk-ant',
    GEMINI_API_KEY: 'g',
  };

  test.each(['openai/gpt-5', 'ollama/qwen3', 'compatible/m'])(
    'the address of a file gets no key that was meant for a provider (%s)',
    async (name) => {
      expect(await answerOf(name, placeWith({ baseUrl: server.url }, everyKey))).toBe('Hello.');
      expect(server.requests).toMatchObject([{ format: 'openai-chat' }]);
      expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
    },
  );

  test('the address of a file gets the key that is there for it', async () => {
    const choice = readLanguageChoice('compatible/m', server.url, {
      ...everyKey,
      KEEPSAKE_MODELS_API_KEY: 'mine',
    });
    expect(choice?.apiKey).toBe('mine');
    const env = { KEEPSAKE_MODELS_API_KEY: 'mine' };
    expect(await answerOf('compatible/m', placeWith({ baseUrl: server.url }, env))).toBe('Hello.');
    expect(server.requests[0]?.headers).toMatchObject({ authorization: '***' });
  });

  test('the address of a file is nothing to Anthropic and Google', () => {
    expect(readLanguageChoice('anthropic/c', server.url, everyKey)?.baseUrl).toContain('api.anthropic.com');
    expect(readLanguageChoice('google/g', server.url, everyKey)?.baseUrl).toContain('googleapis.com');
  });

  test.each([
    ['openai/gpt-5', 'OPENAI_BASE_URL', 'openai-chat'],
    ['anthropic/claude-x', 'ANTHROPIC_BASE_URL', 'anthropic'],
    ['google/gemini-x', 'GOOGLE_GEMINI_BASE_URL', 'google'],
  ])('an address from the environment is asked with the key of %s', async (name, variable, format) => {
    expect(await answerOf(name, placeWith({}, { ...everyKey, [variable]: server.url }))).toBe('Hello.');
    expect(server.requests).toMatchObject([{ format }]);
    expect(Object.values(server.requests[0]?.headers ?? {})).toContain('***');
  });

  test('the packages find no key of their own in the environment', async () => {
    process.env.OPENAI_API_KEY = 'sk-from-outside';
    try {
      expect(await answerOf('openai/gpt-5', placeWith({}, { OPENAI_BASE_URL: server.url }))).toBe('Hello.');
      expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
    } finally {
      delete process.env.OPENAI_API_KEY;
    }
  });
});

describe('an object', () => {
  test('of our own is taken as it is', async () => {
    const own: ChatModel = server.model('mine/model');
    expect(await openLanguageModel(own, placeWith())).toBe(own);
  });

  test('of the AI SDK is taken by its shape', async () => {
    const sdk = createOpenAI({ apiKey: 'k', baseURL: server.url })('gpt-5');
    const models = await openModels({ main: sdk, ...placeWith() });
    expect((await models?.main.generate({ prompt: 'Hi' }))?.text).toBe('Hello.');
    expect(models?.meter.byModel()).toHaveProperty('openai/gpt-5');
  });

  test('of another kind is refused', async () => {
    await expect(openLanguageModel({} as LanguageModelInput, placeWith())).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});

describe('settings', () => {
  test('have defaults, and variables that win over the file', () => {
    expect(parseConfig().models).toMatchObject({ main: 'none', timeoutMs: 120_000, retries: 3, prices: {} });
    const env = {
      KEEPSAKE_MODELS_BASE_URL: 'http://localhost:1234/v1',
      KEEPSAKE_MODELS_TIMEOUT_MS: '5000',
      KEEPSAKE_MODELS_RETRIES: '0',
      KEEPSAKE_MODELS_API_KEY: 'k',
    };
    const { config, warnings } = loadConfig({ workspace: temporaryFolder(), env });
    expect(config.models).toMatchObject({ baseUrl: 'http://localhost:1234/v1', timeoutMs: 5000, retries: 0 });
    expect(warnings).toEqual([]);
  });

  test('reach the model', async () => {
    await using silent = await scriptedModel([{ hang: true }, { status: 500 }]);
    const place = placeWith({ baseUrl: silent.url, timeoutMs: 1000, retries: 0 });
    const model = await openLanguageModel('compatible/m', place);
    const stop = AbortSignal.timeout(60);
    await expect(model?.generate({ prompt: 'Hi', signal: stop })).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(model?.generate({ prompt: 'Hi' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(silent.requests).toHaveLength(2);
  });

  test('a wrong address is not repeated, for it may hold a password', () => {
    expect(() => parseConfig({ models: { baseUrl: 'htp://ada:secret@host' } })).toThrow(/^(?!.*secret)/s);
  });

  test('a light model of its own, with prices of its own', async () => {
    const prices = { 'compatible/light': { input: 1, output: 1 } };
    const place = placeWith({ baseUrl: server.url, prices });
    const models = await openModels({ main: 'compatible/main', light: 'compatible/light', ...place });
    await models?.light.generate({ prompt: 'Hi' });
    await models?.main.generate({ prompt: 'Hi' });
    expect(models?.meter.byModel()).toMatchObject({
      'compatible/light': { calls: 1, cost: expect.any(Number) },
      'compatible/main': { calls: 1, cost: null },
    });
  });
});

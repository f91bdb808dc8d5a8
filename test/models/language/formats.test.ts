/** Every provider's format over real HTTP: text as it comes, tools there and back, system messages, numbers. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createServerModel } from '../../../src/models/language/index.ts';
import type {
  ChatEvent,
  ChatMessage,
  ChatModel,
  ChatPart,
  ChatRequest,
  ToolSpec,
} from '../../../src/ports/language-model.ts';
import { type ScriptedModel, scriptedModel } from '../../../src/testing/index.ts';
import { collect } from './collect.ts';

let server: ScriptedModel;

beforeEach(async () => {
  server = await scriptedModel();
});

afterEach(() => server.close());

const openAiChat = (): ChatModel =>
  createServerModel({
    id: 'openai/gpt-4o',
    format: 'openai-chat',
    model: 'gpt-4o',
    baseUrl: `${server.url}/`,
    apiKey: 'sk-1',
  });

const weather: ToolSpec = {
  name: 'weather',
  description: 'Weather of a town.',
  parameters: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
};

const ask = (content: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [{ role: 'user', content }],
  ...more,
});

const FORMATS: [format: string, model: () => ChatModel, path: string][] = [
  ['openai-responses', () => server.model('openai/gpt-5-mini'), '/v1/responses'],
  ['openai-chat', openAiChat, '/v1/chat/completions'],
  ['compatible', () => server.model('compatible/qwen/qwen3-8b'), '/v1/chat/completions'],
  ['anthropic', () => server.model('anthropic/claude-haiku-4-5'), '/v1/messages'],
  [
    'google',
    () => server.model('google/gemini-2.5-flash'),
    '/v1/models/gemini-2.5-flash:streamGenerateContent',
  ],
];

describe.each(FORMATS)('%s', (format, open, path) => {
  it('hands out the text piece by piece, then the end with the tokens', async () => {
    server.script({ text: ['Hel', 'lo ', 'wörld'], usage: { inputTokens: 12, outputTokens: 3 } });
    expect(await collect(open().chat(ask('Hi')))).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo ' },
      { type: 'text', text: 'wörld' },
      { type: 'finish', reason: 'stop', usage: { inputTokens: 12, outputTokens: 3 } },
    ]);
    expect(server.requests).toMatchObject([{ path, stream: true, prompt: 'Hi', tools: [] }]);
  });

  it('tells of tools that may not be used', async () => {
    server.script('In words.');
    await collect(open().chat(ask('Weather?', { tools: [weather], toolChoice: 'none' })));
    expect(server.requests).toMatchObject([{ tools: [{ name: 'weather' }], toolChoice: 'none' }]);
  });

  it('goes from a call of a tool over its result to the answer', async () => {
    server.script({ toolCalls: [{ id: 'call_a', name: 'weather', arguments: { town: 'Ulm' } }] }, 'Rain.');
    const model = open();
    const first = await collect(model.chat(ask('Weather in Ulm?', { tools: [weather] })));
    expect(first).toEqual([
      { type: 'toolCall', id: expect.any(String), name: 'weather', arguments: { town: 'Ulm' } },
      { type: 'finish', reason: 'toolCalls', usage: expect.anything() },
    ]);
    const [call] = first as [Extract<ChatEvent, { type: 'toolCall' }>];
    const { id, name } = call;
    const messages: ChatMessage[] = [
      { role: 'user', content: 'Weather in Ulm?' },
      { role: 'assistant', content: [{ type: 'text', text: 'Let me look.' }, call] },
      { role: 'tool', content: [{ type: 'toolResult', id, name, result: '8 degrees, rain' }] },
    ];
    const second = await collect(model.chat({ messages, tools: [weather] }));
    expect(second).toMatchObject([
      { type: 'text', text: 'Rain.' },
      { type: 'finish', reason: 'stop' },
    ]);

    const [asked, answered] = server.requests;
    expect(asked?.tools).toMatchObject([{ name: 'weather', description: 'Weather of a town.' }]);
    expect(asked?.tools[0]?.parameters).toMatchObject({ properties: { town: {} }, required: ['town'] });
    const parts = answered?.messages.flatMap(({ content }): (string | ChatPart)[] =>
      typeof content === 'string' ? [content] : [...content],
    );
    expect(parts).toContainEqual(
      expect.objectContaining({ type: 'toolCall', name, arguments: { town: 'Ulm' } }),
    );
    expect(parts).toContainEqual(
      expect.objectContaining({ type: 'toolResult', name, result: '8 degrees, rain' }),
    );
  });

  it('keeps two calls of one answer apart', async () => {
    const toolCalls = ['Ulm', 'Bonn'].map((town) => ({ name: 'weather', arguments: { town } }));
    server.script({ text: 'Both:', toolCalls });
    const events = await collect(open().chat(ask('Weather?', { tools: [weather] })));
    const calls = events.filter((event) => event.type === 'toolCall');
    expect(calls.map((call) => call.arguments)).toEqual([{ town: 'Ulm' }, { town: 'Bonn' }]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(events.map(({ type }) => type)).toEqual(['text', 'toolCall', 'toolCall', 'finish']);
  });

  it('passes on temperature and the limit of tokens, and says when the limit cut the answer', async () => {
    server.script({ text: 'Once upon', finish: 'length' });
    // The newest models of OpenAI have no temperature.
    const temperature = format === 'openai-responses' ? {} : { temperature: 0.5 };
    const events = await collect(open().chat(ask('A story', { ...temperature, maxTokens: 20 })));
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
    expect(server.requests).toMatchObject([{ ...temperature, maxTokens: 20 }]);
  });

  it('sends several system messages, also from the middle of a conversation', async () => {
    server.script('Yes.');
    const messages: ChatMessage[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'system', content: 'You know: Ada likes tea.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'system', content: 'It is late.' },
      { role: 'user', content: 'Tea?' },
    ];
    await collect(open().chat({ messages }));
    const sent = server.requests[0]?.messages ?? [];
    const merged = 'Be brief.\n\nYou know: Ada likes tea.\n\nIt is late.';
    const openAi = format.startsWith('openai');
    expect(sent.filter(({ role }) => role === 'system').map(({ content }) => content)).toEqual(
      openAi ? ['Be brief.', 'You know: Ada likes tea.', 'It is late.'] : [merged],
    );
    expect(sent.map(({ role }) => role)).toEqual(
      openAi ? messages.map(({ role }) => role) : ['system', 'user', 'assistant', 'user'],
    );
  });

  it('generates from a prompt', async () => {
    server.script({ json: { facts: ['likes tea'] }, usage: { inputTokens: 5, outputTokens: 6 } });
    const generated = await open().generate({ system: 'Extract.', prompt: 'I like tea.' });
    expect(generated).toEqual({
      text: '{"facts":["likes tea"]}',
      usage: { inputTokens: 5, outputTokens: 6 },
    });
    expect(server.requests[0]?.messages).toEqual([
      { role: 'system', content: 'Extract.' },
      { role: 'user', content: 'I like tea.' },
    ]);
  });

  it('tells the model that a tool failed', async () => {
    server.script('Sorry.');
    await collect(
      open().chat({
        messages: [
          { role: 'user', content: 'Weather?' },
          { role: 'assistant', content: [{ type: 'toolCall', id: 'a', name: 'weather', arguments: {} }] },
          {
            role: 'tool',
            content: [{ type: 'toolResult', id: 'a', name: 'weather', result: 'no network', isError: true }],
          },
        ],
        tools: [weather],
      }),
    );
    expect(JSON.stringify(server.requests[0]?.messages)).toContain('no network');
  });
});

it('a call without arguments, and one with broken JSON, arrive as what they are', async () => {
  for (const id of ['openai/gpt-5', 'compatible/m', 'anthropic/claude-haiku-4-5']) {
    server.script(
      { toolCalls: [{ name: 'weather', arguments: '' }] },
      { toolCalls: [{ name: 'weather', arguments: '{"town": "Ul' }] },
    );
    const model = server.model(id);
    const [empty] = await collect(model.chat(ask('Weather?', { tools: [weather] })));
    expect(empty, id).toMatchObject({ type: 'toolCall', arguments: {} });
    const [broken] = await collect(model.chat(ask('Weather?', { tools: [weather] })));
    expect(broken, id).toMatchObject({ type: 'toolCall', arguments: '{"town": "Ul' });
  }
});

it('broken arguments and foreign ids can go back to the model', async () => {
  server.script('Again, please.');
  const call = {
    type: 'toolCall',
    id: 'functions.weather:0',
    name: 'weather',
    arguments: '{"town": "Ul',
  } as const;
  const result = {
    type: 'toolResult',
    id: call.id,
    name: 'weather',
    result: 'not JSON',
    isError: true,
  } as const;
  await collect(
    server.model('anthropic/claude-haiku-4-5').chat({
      messages: [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', content: [{ type: 'text', text: '' }, call] },
        { role: 'tool', content: [result] },
      ],
      tools: [weather],
    }),
  );
  const id = 'functions_weather_0';
  expect(server.requests[0]?.messages.slice(1)).toEqual([
    { role: 'assistant', content: [{ ...call, id, arguments: { unparsed: '{"town": "Ul' } }] },
    { role: 'tool', content: [{ ...result, id }] },
  ]);
});

it('OpenAI is asked to keep nothing', async () => {
  server.script('Hi.');
  await collect(server.model('openai/gpt-5-mini').chat(ask('Hi')));
  expect(server.requests[0]?.body).toMatchObject({ store: false });
});

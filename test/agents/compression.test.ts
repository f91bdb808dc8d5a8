/** Compression at the top of a loop: when it fires, who writes the summary, and what the run goes on with. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type AgentHandle,
  type AgentOptions,
  ContextCompressor,
  type ContextCompressorOptions,
  defineTool,
  type RunOptions,
} from '../../src/index.ts';
import type { ScriptedRequest } from '../../src/testing/index.ts';
import { call, modelServer, scene as plainScene, type Scene, said, systemOf, textOf } from './fixture.ts';

/** Summaries are written by another model than the one whose window is small, so that they take one call. */
async function scene(...given: Parameters<typeof plainScene>): Promise<Scene> {
  const plain = await plainScene(...given);
  const light = plain.server.model('scripted/light', { retries: 0 });
  return { ...plain, agent: (settings = {}, client) => plain.agent({ light, ...settings }, client) };
}

const SUMMARY =
  'The user plans a garden with roses, a pond and three apple trees, and asked for a list of steps.';
const LONG = 'I want roses, a pond and three apple trees in my garden. '.repeat(90);

/** Reads long pages. */
const read = defineTool({
  name: 'read_page',
  description: 'Reads a page.',
  input: z.object({ page: z.int() }),
  run: ({ page }) => `Page ${page}: ${'soil and seeds '.repeat(250)}`,
});

const ASKED = 'What comes first?';

/** The agent was told a long story before it is asked. */
async function runAfterStory(agent: AgentHandle, options: RunOptions = {}): Promise<string> {
  const memory = await agent.shortMemory;
  await memory.add('User', LONG);
  await memory.add('assistant', 'I see.');
  return agent.run(ASKED, options);
}

const isSummary = (system: string): boolean => system.includes('condense');

const small = { config: { compression: { contextLength: 1_000 } } };

for (const maxLoops of [3, 'auto'] as const) {
  it(`A-17 A-42 A-44 C-22 compresses at the top of a loop when the context is full, with maxLoops ${maxLoops}`, async () => {
    const { agent, server, folder } = await scene(
      (request) => (isSummary(systemOf(request)) ? SUMMARY : 'Dig first.'),
      small,
    );
    const alice = agent({ maxLoops, systemPrompt: 'You are a gardener.', rules: 'Be kind.' });
    expect(await runAfterStory(alice)).toBe('Dig first.');
    const [summarising, answering] = server.requests;
    expect(systemOf(summarising)).toContain('condense');
    expect(summarising!.prompt).toContain('three apple trees');
    // The task itself is still asked, word for word, after the summary.
    expect(systemOf(answering)).toContain(`[Compressed Memory Summary]\n${SUMMARY}`);
    expect(said(answering)).toEqual([`user: Be kind.\n\n${ASKED}`]);
    const [archive] = readdirSync(join(folder, 'agents', 'alice', 'archive'));
    expect(readFileSync(join(folder, 'agents', 'alice', 'archive', archive!), 'utf8')).toContain(LONG.trim());
    const file = readFileSync(join(folder, 'agents', 'alice', 'MEMORY.md'), 'utf8');
    expect(file).toContain(`[Compressed Memory Summary]\n${SUMMARY}`);
    expect(file).toContain(ASKED);
    expect(file).toContain('Dig first.');
    expect(file).not.toContain('three apple trees in my garden');
  });
}

it('A-17 A-42 does nothing as long as there is room', async () => {
  const { agent, server, folder } = await scene(['Hello.'], small);
  await agent().run('Hello');
  expect(server.requests).toHaveLength(1);
  expect(existsSync(join(folder, 'agents', 'alice', 'archive'))).toBe(false);
});

it.each([
  ['compatible/deepseek-v3', 128_000],
  ['anthropic/claude-sonnet-4-6', 200_000],
])('C-04 the context of %s is compressed at its own limit, %i tokens', async (id, limit) => {
  const { agent, server } = await scene([]);
  const alice = agent({ model: server.model(id, { retries: 0 }) });
  await (await alice.shortMemory).add('User', 'Hello');
  expect(await alice.compressIfNeeded()).toMatchObject({ limit, threshold: 0.9, compressed: false });
});

it('A-50 contextCompression false leaves the conversation alone, also with maxLoops "auto"', async () => {
  const { agent, server, folder } = await scene(['Dig first.'], small);
  await agent({ contextCompression: false, maxLoops: 'auto' }).run(LONG);
  expect(said(server.requests[0])).toEqual([`user: ${LONG}`]);
  const file = readFileSync(join(folder, 'agents', 'alice', 'MEMORY.md'), 'utf8');
  expect(file).toContain(LONG.trim());
});

it('A-42 in the middle of a run: what the tools answered is summarised, and what was done since follows the task', async () => {
  let summaries = 0;
  let steps = 0;
  const { agent, server } = await scene(
    (request) => {
      if (isSummary(systemOf(request))) return `${SUMMARY} Page ${++summaries} was read.`;
      return ++steps < 8 ? call('read_page', { page: steps }) : 'Both pages say: dig.';
    },
    { config: { compression: { contextLength: 900 } } },
  );
  const alice = agent({ tools: [read], packs: [] });
  expect(await alice.run('Read both pages.')).toBe('Both pages say: dig.');
  expect(summaries).toBeGreaterThan(0);
  const conversations = server.requests.filter((request) => request.tools.length > 0);
  for (const request of conversations) {
    const turns = said(request);
    // The task comes before everything that was done for it.
    expect(turns[0]).toBe('user: Read both pages.');
    expect(turns.filter((text) => text.startsWith('user:'))).toHaveLength(1);
  }
});

it('C-06 the light model writes the summary, and the main one only when the light one fails', async () => {
  const light = await modelServer([SUMMARY, { status: 400 }]);
  const { agent, server } = await scene(['Dig first.', SUMMARY, 'Then plant.'], small);
  const options = { light: light.model('scripted/light', { retries: 0 }) };
  await runAfterStory(agent(options));
  expect(light.requests).toHaveLength(1);
  expect(light.requests[0]!.prompt).toContain('three apple trees');
  expect(server.requests).toHaveLength(1);
  await runAfterStory(agent({ ...options, name: 'bob' }));
  expect(light.requests).toHaveLength(2);
  expect(server.requests).toHaveLength(3);
  expect(systemOf(server.requests[2])).toContain(SUMMARY);
});

it('C-06 a summary that fails or says nothing costs neither the answer nor the room: sentences are extracted', async () => {
  const light = await modelServer([{ status: 400 }, 'ok']);
  const { agent, server } = await scene(
    (request) => (isSummary(systemOf(request)) ? { status: 400 } : 'Dig first.'),
    small,
  );
  const alice = agent({ light: light.model('scripted/light', { retries: 0 }) });
  expect(await runAfterStory(alice)).toBe('Dig first.');
  expect(await alice.run('Go on.')).toBe('Dig first.');
  expect(said(server.requests.at(-1))).toEqual([`user: ${ASKED}`, 'assistant: Dig first.', 'user: Go on.']);
  expect(systemOf(server.requests.at(-1))).toContain('Extractive summary');
});

it('A-52 compression.summarizerModel is the one that is asked', async () => {
  const { agent, client } = await scene([], {
    config: {
      compression: { contextLength: 1_000, summarizerModel: 'ollama/tiny' },
      models: { baseUrl: 'http://127.0.0.1:9/v1', retries: 0 },
    },
  });
  const compressor = await agent({}, client).contextCompressor;
  expect(compressor).not.toBeNull();
  const memory = await agent({}, client).shortMemory;
  await memory.add('User', LONG);
  await memory.add('assistant', 'I see.');
  // Nobody listens there, and the main model has no reply left in its script.
  const { summarizedBy, warning } = await compressor!.compressIfNeeded(memory);
  expect(summarizedBy).toBe('extractive');
  expect(warning).toContain('ollama/tiny could not summarise the conversation');
});

it('C-26 tiers of the configuration: each is stood in for by the one above; a named summariser has none below it', async () => {
  const server = await modelServer(({ model, messages }) => {
    if (model === 'heavy') return isSummary(systemOf({ messages } as never)) ? SUMMARY : 'Dig first.';
    return { status: 400 };
  });
  const names = { local: 'compatible/local', light: 'compatible/light', heavy: 'compatible/heavy' };
  const asked = async (name: string, compression: object): Promise<string[]> => {
    const models = { main: 'compatible/main', ...names, baseUrl: server.url, retries: 0 };
    const { client } = await scene([], {
      config: { compression: { contextLength: 1_000, ...compression }, models },
    });
    const before = server.requests.length;
    expect(await runAfterStory(client.agent({ name }))).toBe('Dig first.');
    return server.requests.slice(before).map(({ model }) => model);
  };
  expect(await asked('alice', {})).toEqual(['local', 'light', 'main', 'heavy', 'main', 'heavy']);
  expect(await asked('bob', { summarizerModel: 'compatible/scribe' })).toEqual([
    'scribe',
    'main',
    'heavy',
    'main',
    'heavy',
  ]);
});

it('A-51 A-52 the compressor can be replaced, with its own threshold and model', async () => {
  const summarizer = await modelServer([SUMMARY]);
  const { agent, server } = await scene(['Dig first.']);
  const alice = agent();
  expect((await alice.contextCompressor)!.threshold).toBe(0.9);
  alice.contextCompressor = new ContextCompressor({
    threshold: 0.75,
    contextLength: 900,
    summarizer: summarizer.model('scripted/haiku', { retries: 0 }),
    summarizerTemperature: 0.1,
    summarizerMaxTokens: 3_000,
  });
  await runAfterStory(alice);
  expect(summarizer.requests[0]).toMatchObject({ temperature: 0.1, maxTokens: 3_000 });
  expect(systemOf(server.requests[0])).toContain(SUMMARY);
});

it('A-52 null switches it off for good', async () => {
  const { agent, server } = await scene(['Dig first.'], small);
  const alice = agent();
  alice.contextCompressor = null;
  await runAfterStory(alice);
  expect(server.requests).toHaveLength(1);
});

it('tells the session of a compaction', async () => {
  const { agent } = await scene((request) => (isSummary(systemOf(request)) ? SUMMARY : 'Dig first.'), small);
  const types: string[] = [];
  await runAfterStory(agent(), { onEvent: ({ type }) => types.push(type) });
  expect(types).toEqual(['session.sent', 'conversation.compacted', 'session.receipt', 'session.completed']);
});

describe('A-46 A-49 what is sent after a compaction begins with a user turn', () => {
  const firstRole = ({ messages }: ScriptedRequest): string | undefined =>
    messages.find(({ role }) => role !== 'system')?.role;

  it.each<[string, Partial<AgentOptions>]>([
    ['with MEMORY.md', {}],
    ['from the log alone', { persistentMemory: false, history: 'low' }],
  ])('%s: the prompt that triggered it stays with its answer, also after a restart', async (_, settings) => {
    const { agent, server, client, open } = await scene(
      ({ messages }) =>
        isSummary(systemOf({ messages } as never)) ? SUMMARY : `Answer to: ${textOf(messages.at(-1)!)}`,
      small,
    );
    const session = await agent(settings).session();
    const long = `Listen: ${LONG.slice(0, 3_000)}`;
    for (const prompt of [long, 'What comes first?', 'And then?']) await session.send(prompt);
    await session.end();
    await client.close();
    const again = open(small);
    await agent(settings, again).run('Is that all?');
    const chats = server.requests.filter((request) => !isSummary(systemOf(request)));
    expect(server.requests).toHaveLength(chats.length + 1);
    expect(chats.map(firstRole)).toEqual(['user', 'user', 'user', 'user']);
    const kept = ['user: What comes first?', 'assistant: Answer to: What comes first?'];
    expect(said(chats[1])).toEqual(kept.slice(0, 1));
    expect(said(chats[2])).toEqual([...kept, 'user: And then?']);
    expect(said(chats[3])).toEqual([
      ...kept,
      'user: And then?',
      'assistant: Answer to: And then?',
      'user: Is that all?',
    ]);
    expect(systemOf(chats[3])).toContain(SUMMARY);
  });

  it.each<[string, Partial<AgentOptions>]>([
    ['with MEMORY.md', {}],
    ['from the log alone', { persistentMemory: false, history: 'low' }],
  ])('%s: in the middle of a run the steps are summarised and the prompt stays', async (_, settings) => {
    let steps = 0;
    const { agent, server, client, open } = await scene(
      (request) => {
        if (isSummary(systemOf(request))) return `${SUMMARY} The pages were read.`;
        return ++steps < 8 ? call('read_page', { page: steps }) : 'Dig.';
      },
      { config: { compression: { contextLength: 900 } } },
    );
    const options = { ...settings, tools: [read], packs: ['context'] as const };
    expect(await agent(options).run('Read both pages.')).toBe('Dig.');
    await client.close();
    const again = agent(options, open());
    await again.run('Thank you.');
    const chats = server.requests.filter((request) => !isSummary(systemOf(request)));
    expect(new Set(chats.map(firstRole))).toEqual(new Set(['user']));
    const last = said(chats.at(-1));
    expect(last[0]).toBe('user: Read both pages.');
    expect(last.slice(-2)).toEqual(['assistant: Dig.', 'user: Thank you.']);
    expect(last.join()).not.toContain('Page 1:');
    // What the summary stands for can still be asked for.
    const { messages } = await (await again.shortMemory).moreContext({ query: 'Page 1' });
    expect(messages.map(({ role }) => role)).toContain('Tool');
  });

  it('an answer without a question is told in the system message', async () => {
    const { agent, server } = await scene(['Paris is lovely.']);
    const alice = agent();
    await (await alice.shortMemory).add('assistant', 'Hello! Which city do you like?');
    await alice.run('Paris');
    expect(said(server.requests[0])).toEqual(['user: Paris']);
    expect(systemOf(server.requests[0])).toContain('Hello! Which city do you like?');
  });
});

describe('A-52 a compressor that replaces the one of an agent', () => {
  const models = (url: string) => ({
    config: {
      compression: { contextLength: 1_000, summarizerTemperature: 0.3 },
      models: { main: 'compatible/main', light: 'compatible/light', baseUrl: url, retries: 0 },
    },
  });

  async function told(options: ContextCompressorOptions) {
    const server = await modelServer((request) => (isSummary(systemOf(request)) ? SUMMARY : 'Dig first.'));
    const { open } = await scene([]);
    const alice = open(models(server.url)).agent({ name: 'alice' });
    alice.contextCompressor = new ContextCompressor(options);
    expect(await runAfterStory(alice)).toBe('Dig first.');
    return { alice, server };
  }

  it('inherits model, window and summariser of the agent', async () => {
    const { alice, server } = await told({ threshold: 0.75 });
    expect(server.requests.map(({ model }) => model)).toEqual(['light', 'main']);
    expect(server.requests[0]!.temperature).toBe(0.3);
    expect(await alice.compressIfNeeded()).toMatchObject({ threshold: 0.75, limit: 1_000 });
  });

  it('takes the options that the document shows', async () => {
    const { server } = await told({
      threshold: 0.75,
      summarizerModel: 'compatible/claude-haiku-4-5',
      summarizerTemperature: 0.1,
      summarizerMaxTokens: 3_000,
    });
    expect(server.requests.map(({ model }) => model)).toEqual(['claude-haiku-4-5', 'main']);
    expect(server.requests[0]).toMatchObject({ temperature: 0.1, maxTokens: 3_000 });
  });

  it('takes a model of the AI SDK', async () => {
    const scribe = await modelServer([SUMMARY]);
    const provider = createOpenAICompatible({ name: 'scribe', baseURL: scribe.url });
    const { server } = await told({ summarizerModel: provider('pen') });
    expect(scribe.requests.map(({ model }) => model)).toEqual(['pen']);
    expect(server.requests.map(({ model }) => model)).toEqual(['main']);
  });

  it('has the window of another model when it names one', async () => {
    const { alice } = await told({ contextLength: 1_000 });
    const memory = await alice.shortMemory;
    expect(await new ContextCompressor({ model: 'openai/gpt-4' }).measure(memory)).toMatchObject({
      limit: 8_192,
    });
  });

  it.each<[object, string]>([
    [{ contextLength: 0 }, 'contextLength: 0'],
    [{ contextLength: Number.NaN }, 'contextLength: NaN'],
    [{ policy: 'everything' }, 'policy: "everything"'],
    [{ keepLast: -1 }, 'keepLast: -1'],
    [{ summarizerMaxTokens: 1.5 }, 'summarizerMaxTokens: 1.5'],
    [{ summarizerTemperature: 3 }, 'summarizerTemperature: 3'],
    [{ summarizerModel: {} }, 'summarizerModel'],
    [{ summarizer: 'openai/gpt-4o-mini' }, 'summarizer: "openai/gpt-4o-mini"'],
    [{ treshold: 0.5 }, 'treshold'],
  ])('refuses %j', (options, named) => {
    expect(() => new ContextCompressor(options)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining(named) }),
    );
  });
});

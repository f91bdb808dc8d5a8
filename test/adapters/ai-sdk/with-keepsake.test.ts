/** `withKeepsake` with the real AI SDK 7 and 6: recall before a call, saving after it, tool loops, streams, and memory that fails. */
import * as ai7 from 'ai';
import * as mocks7 from 'ai/test';
import * as ai6 from 'ai-6';
import * as mocks6 from 'ai-6/test';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { withKeepsake } from '../../../src/adapters/ai-sdk/index.ts';
import { KeepsakeError } from '../../../src/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { remoteClient, temporaryClient } from '../support.ts';

type Prompt = { role: string; content: unknown }[];
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const stop = { unified: 'stop', raw: undefined };
const say = (text: string) => ({
  content: [{ type: 'text', text }],
  finishReason: stop,
  usage,
  warnings: [],
});
const callTool = (toolName: string, input: object) => ({
  content: [{ type: 'tool-call', toolCallId: 'call-1', toolName, input: JSON.stringify(input) }],
  finishReason: { unified: 'tool-calls', raw: undefined },
  usage,
  warnings: [],
});
const streamOf = (words: string[]) => [
  { type: 'stream-start', warnings: [] },
  { type: 'text-start', id: '1' },
  ...words.map((delta) => ({ type: 'text-delta', id: '1', delta })),
  { type: 'text-end', id: '1' },
  { type: 'finish', finishReason: stop, usage },
];

describe.each([
  { version: 7, ai: ai7, Mock: mocks7.MockLanguageModelV4 },
  { version: 6, ai: ai6 as unknown as typeof ai7, Mock: mocks6.MockLanguageModelV3 },
])('AI SDK $version', ({ ai, Mock }) => {
  const answering = (...answers: object[]) => {
    const rest = [...answers];
    const model = new Mock({ doGenerate: (async () => rest.shift() ?? say('Done.')) as never });
    return { model, prompts: () => model.doGenerateCalls.map(({ prompt }) => prompt as unknown as Prompt) };
  };
  const systems = (prompt: Prompt) =>
    prompt.filter(({ role }) => role === 'system').map(({ content }) => String(content));

  it('[matrix] ai-sdk · recall: what is known enters the prompt, after the system message of the program', async () => {
    const client = temporaryClient();
    await client.agent({ name: 'assistant' }).memory.add({ content: 'Ada is allergic to peanuts.' });
    const { model, prompts } = answering(say('No peanuts then.'));
    const wrapped = withKeepsake(model, { client });
    const result = await ai.generateText({
      model: wrapped as never,
      system: 'You cook.',
      prompt: 'Which nuts must I avoid for Ada?',
    });
    await wrapped.keepsake.settled();
    expect(result.text).toBe('No peanuts then.');
    const [own, memory, ...others] = systems(prompts()[0]!);
    expect(own).toBe('You cook.');
    expect(memory).toContain('Ada is allergic to peanuts.');
    expect(others).toEqual([]);
    expect(result.providerMetadata?.keepsake?.memories).toHaveLength(1);
  });

  it('[matrix] ai-sdk · save: the turn is in the log of the agent', async () => {
    const client = temporaryClient();
    const model = withKeepsake(answering(say('Bonjour.')).model, { client, agent: 'translator' });
    await ai.generateText({ model: model as never, prompt: 'Say hello in French.' });
    expect(await model.keepsake.settled()).toEqual({ waiting: 0 });
    const said = await client.agent({ name: 'translator' }).log.get();
    expect(said.map(({ role, content }) => [role, content])).toEqual([
      ['User', 'Say hello in French.'],
      ['translator', 'Bonjour.'],
    ]);
  });

  it('recalls once in a tool loop, injects the same text in each step and saves one turn', async () => {
    const client = temporaryClient();
    const agent = client.agent({ name: 'assistant' });
    await agent.memory.add({ content: 'The office is in Lisbon.' });
    const { model, prompts } = answering(callTool('weather', { city: 'Lisbon' }), say('Sunny.'));
    const onRecall = vi.fn();
    const wrapped = withKeepsake(model, { client, onRecall });
    await ai.generateText({
      model: wrapped as never,
      prompt: 'How is the weather at the office?',
      tools: {
        weather: ai.tool({ inputSchema: z.object({ city: z.string() }), execute: async () => 'sunny' }),
      },
      stopWhen: ai.stepCountIs(3),
    });
    await wrapped.keepsake.settled();
    const [first, second] = prompts();
    expect(prompts()).toHaveLength(2);
    expect(second!.slice(0, first!.length)).toEqual(first);
    expect(systems(second!)).toHaveLength(1);
    expect(onRecall).toHaveBeenCalledTimes(1);
    expect(onRecall.mock.calls[0]![0].receipt.memories[0].explain).toEqual(expect.any(String));
    expect((await agent.log.get()).map(({ content }) => content)).toEqual([
      'How is the weather at the office?',
      'Sunny.',
    ]);
  });

  it('injects and saves once when a model is wrapped twice', async () => {
    const client = temporaryClient();
    const agent = client.agent({ name: 'assistant' });
    await agent.memory.add({ content: 'The office is in Lisbon.' });
    const { model, prompts } = answering(say('In Lisbon.'));
    const inner = withKeepsake(model, { client });
    const outer = withKeepsake(inner, { client });
    await ai.generateText({ model: outer as never, prompt: 'Where is the office?' });
    await Promise.all([inner.keepsake.settled(), outer.keepsake.settled()]);
    expect(systems(prompts()[0]!)).toHaveLength(1);
    expect(await agent.log.get()).toHaveLength(2);
  });

  it('[matrix] ai-sdk · streaming: passes parts on as they come, and saves the whole answer', async () => {
    const client = temporaryClient();
    const agent = client.agent({ name: 'assistant' });
    await agent.memory.add({ content: 'The office is in Lisbon.' });
    const stream = () => ai.simulateReadableStream({ chunks: streamOf(['In ', 'Lisbon.']) });
    const model = new Mock({ doStream: (async () => ({ stream: stream() })) as never });
    const wrapped = withKeepsake(model, { client });
    const result = ai.streamText({ model: wrapped as never, prompt: 'Where is the office?' });
    const words: string[] = [];
    for await (const word of result.textStream) words.push(word);
    expect(words).toEqual(['In ', 'Lisbon.']);
    expect((await result.providerMetadata)?.keepsake?.memories).toHaveLength(1);
    await wrapped.keepsake.settled();
    expect((await agent.log.get()).map(({ content }) => content)).toEqual([
      'Where is the office?',
      'In Lisbon.',
    ]);
    expect(systems(model.doStreamCalls[0]!.prompt as unknown as Prompt)[0]).toContain(
      'The office is in Lisbon.',
    );
  });

  it('[matrix] ai-sdk · users: one user never sees what another one said', async () => {
    const client = temporaryClient();
    await client
      .agent({ name: 'assistant', user: 'ada@example.org' })
      .memory.add({ content: 'Likes jazz music.' });
    const ask = async (user: string) => {
      const { model, prompts } = answering(say('Fine.'));
      await ai.generateText({
        model: withKeepsake(model, { client, user, save: false }) as never,
        prompt: 'Which music do I like?',
      });
      return systems(prompts()[0]!).join();
    };
    expect(await ask('ada@example.org')).toContain('Likes jazz music.');
    expect(await ask('auth0|grace')).toBe('');
  });

  it('[matrix] ai-sdk · threads: each user and thread has a conversation of its own', async () => {
    const client = temporaryClient();
    const ask = async (user: string, thread: string, prompt: string) => {
      const model = withKeepsake(answering(say('Fine.')).model, { client, user, thread });
      await ai.generateText({ model: model as never, prompt });
      expect(await model.keepsake.settled()).toEqual({ waiting: 0 });
    };
    await ask('ada', 'monday', 'One.');
    await ask('ada', 'tuesday', 'Two.');
    await ask('grace', 'monday', 'Three.');
    const said = async (user: string, thread: string) =>
      (await client.agent({ name: 'assistant', user }).conversation(thread).log.get()).map(
        ({ content }) => content,
      );
    expect(await said('ada', 'monday')).toEqual(['One.', 'Fine.']);
    expect(await said('ada', 'tuesday')).toEqual(['Two.', 'Fine.']);
    expect(await said('grace', 'monday')).toEqual(['Three.', 'Fine.']);
  });

  it('[matrix] ai-sdk · remote: recalls and saves through a server', async () => {
    const client = await remoteClient();
    const agent = client.agent({ name: 'assistant' });
    await agent.memory.add({ content: 'The office is in Lisbon.' });
    const { model, prompts } = answering(say('In Lisbon.'));
    const wrapped = withKeepsake(model, { client });
    await ai.generateText({ model: wrapped as never, prompt: 'Where is the office?' });
    expect(await wrapped.keepsake.settled()).toEqual({ waiting: 0 });
    expect(systems(prompts()[0]!)[0]).toContain('The office is in Lisbon.');
    expect(await agent.log.get()).toHaveLength(2);
  });

  it('continues without memory that cannot be opened, says so once, and saves the turns later', async () => {
    const client = temporaryClient();
    const agent = client.agent({ name: 'assistant' });
    const context = vi.spyOn(agent.memory, 'context');
    const add = vi.spyOn(agent.log, 'add');
    const broken = new KeepsakeError('CORRUPT', 'The database is damaged.');
    context.mockRejectedValue(broken);
    add.mockRejectedValue(broken);
    vi.spyOn(client, 'agent').mockReturnValue(agent);
    const onTrouble = vi.fn();
    const model = withKeepsake(answering(say('One.'), say('Two.'), say('Three.')).model, {
      client,
      onTrouble,
    });
    const ask = (prompt: string) => ai.generateText({ model: model as never, prompt });
    expect((await ask('First?')).text).toBe('One.');
    expect((await ask('Second?')).text).toBe('Two.');
    expect(await model.keepsake.settled()).toEqual({ waiting: 2 });
    expect(onTrouble).toHaveBeenCalledTimes(1);
    context.mockRestore();
    add.mockRestore();
    await ask('Third?');
    expect(await model.keepsake.settled()).toEqual({ waiting: 0 });
    expect((await agent.log.get()).map(({ content }) => content)).toEqual([
      'First?',
      'One.',
      'Second?',
      'Two.',
      'Third?',
      'Three.',
    ]);
  });

  it('fails with strict when memory fails', async () => {
    const folder = temporaryFolder();
    const model = withKeepsake(answering(say('Never.')).model, { workspace: `${folder}/\0`, strict: true });
    await expect(
      ai.generateText({ model: model as never, prompt: 'Hello', maxRetries: 0 }),
    ).rejects.toThrow();
  });
});

it('refuses the name of a model and says what to pass', () => {
  expect(() => withKeepsake('openai/gpt-5' as never)).toThrow(
    'expects a language model, and got the name "openai/gpt-5"',
  );
});

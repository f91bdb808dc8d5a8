/** Agents of the real Mastra with memory: recall, saving, users and threads, tools, working memory, streams, a server. */
import { Agent } from '@mastra/core/agent';
import { MASTRA_RESOURCE_ID_KEY, RequestContext } from '@mastra/core/request-context';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import { describe, expect, it, vi } from 'vitest';
import { type KeepsakeForMastra, keepsakeMemory } from '../../../src/adapters/mastra/index.ts';
import { remoteClient, temporaryClient } from '../support.ts';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const say = (text: string) => ({
  content: [{ type: 'text' as const, text }],
  finishReason: { unified: 'stop' as const, raw: undefined },
  usage,
  warnings: [],
});
const callTool = (toolName: string, input: object) => ({
  content: [{ type: 'tool-call' as const, toolCallId: 'call-1', toolName, input: JSON.stringify(input) }],
  finishReason: { unified: 'tool-calls' as const, raw: undefined },
  usage,
  warnings: [],
});
type Answer = ReturnType<typeof say> | ReturnType<typeof callTool>;

/** Answers what the script says, whether Mastra generates or streams. */
const scripted = (...answers: Answer[]) => {
  const next = () => answers.shift() ?? say('Done.');
  return new MockLanguageModelV4({
    doGenerate: async () => next(),
    doStream: async () => {
      const { content, finishReason } = next();
      const parts = content.flatMap((part): object[] =>
        part.type === 'text'
          ? [
              { type: 'text-start' as const, id: '1' },
              { type: 'text-delta' as const, id: '1', delta: part.text },
              { type: 'text-end' as const, id: '1' },
            ]
          : [part],
      );
      const chunks = [
        { type: 'stream-start' as const, warnings: [] },
        ...parts,
        { type: 'finish' as const, finishReason, usage },
      ];
      return { stream: simulateReadableStream({ chunks: chunks as never[] }) };
    },
  });
};

const agentWith = (keepsake: KeepsakeForMastra, model: MockLanguageModelV4, more: object = {}) =>
  new Agent({
    id: 'guide',
    name: 'guide',
    instructions: 'Be short.',
    model: model as never,
    inputProcessors: [keepsake.recall()],
    outputProcessors: [keepsake.save()],
    ...more,
  });

const systems = (model: MockLanguageModelV4, call = 0): string =>
  [...model.doGenerateCalls, ...model.doStreamCalls]
    [call]!.prompt.filter(({ role }) => role === 'system')
    .map(({ content }) => content)
    .join('\n');

describe.each([
  ['recall', 'in this process', async () => temporaryClient()],
  ['remote', 'through a server', remoteClient],
])('%s', (column, where, open) => {
  it(`[matrix] mastra · ${column}: recalls for the user of the call and saves the turn in its thread, ${where}`, async () => {
    const client = await open();
    await client
      .agent({ name: 'guide', user: 'ada' })
      .memory.add({ content: 'The office of Ada is in Lisbon.' });
    const keepsake = keepsakeMemory({ client, agent: 'guide' });
    const ask = async (resource: string) => {
      const model = scripted(say('Fine.'));
      const question = 'Where is my office?';
      const { text } = await agentWith(keepsake, model).generate(question, {
        memory: { resource, thread: 'chat-1' },
      });
      expect(text).toBe('Fine.');
      return systems(model);
    };
    expect(await ask('ada')).toContain('The office of Ada is in Lisbon.');
    expect(await ask('grace')).toBe('Be short.');
    expect(await keepsake.settled()).toEqual({ waiting: 0 });
    const log = (user: string) => client.agent({ name: 'guide', user }).conversation('chat-1').log.get();
    expect((await log('ada')).map(({ content }) => content)).toEqual(['Where is my office?', 'Fine.']);
    expect(await log('grace')).toHaveLength(2);
    expect(await log('nobody')).toEqual([]);
  });
});

it('[matrix] mastra · streaming: streams as before, with memory', async () => {
  const client = temporaryClient();
  await client.agent({ name: 'guide' }).memory.add({ content: 'The office is in Lisbon.' });
  const keepsake = keepsakeMemory({ client, agent: 'guide' });
  const model = scripted(say('In Lisbon.'));
  const { textStream } = await agentWith(keepsake, model).stream('Where is the office?');
  let text = '';
  for await (const part of textStream) text += part;
  expect(text).toBe('In Lisbon.');
  await keepsake.settled();
  expect(systems(model)).toContain('The office is in Lisbon.');
  expect(await client.agent({ name: 'guide' }).log.get()).toHaveLength(2);
});

it('[matrix] mastra · users: the authenticated user of the request wins over the one that was passed', async () => {
  const client = temporaryClient();
  await client.agent({ name: 'guide', user: 'ada' }).memory.add({ content: 'Likes jazz music.' });
  const requestContext = new RequestContext();
  requestContext.set(MASTRA_RESOURCE_ID_KEY, 'grace');
  const model = scripted(say('Fine.'));
  const keepsake = keepsakeMemory({ client, agent: 'guide', save: false });
  await agentWith(keepsake, model).generate('Which music do I like?', {
    memory: { resource: 'ada', thread: 't' },
    requestContext,
  });
  expect(systems(model)).not.toContain('jazz');
});

it('[matrix] mastra · tools: the agent remembers for the user of the call', async () => {
  const client = temporaryClient();
  const keepsake = keepsakeMemory({ client, agent: 'guide' });
  const model = scripted(callTool('remember', { content: 'Ada drinks tea.' }), say('Noted.'));
  const agent = agentWith(keepsake, model, { tools: keepsake.tools() });
  await agent.generate('I drink tea.', { memory: { resource: 'ada', thread: 't' } });
  await keepsake.settled();
  const stored = await client.agent({ name: 'guide', user: 'ada' }).memory.list();
  expect(stored.map(({ content, user }) => [content, user])).toEqual([['Ada drinks tea.', 'ada']]);
});

it('[matrix] mastra · threads: working memory is one note per user, the same in all threads', async () => {
  const client = temporaryClient();
  const keepsake = keepsakeMemory({ client, agent: 'guide' });
  const { processor, tools } = keepsake.workingMemory({ template: '# Unknown' });
  const ask = async (model: MockLanguageModelV4, resource: string, thread: string) => {
    const agent = agentWith(keepsake, model, { tools, inputProcessors: [processor] });
    await agent.generate('Hello', { memory: { resource, thread } });
    return systems(model);
  };
  const first = scripted(
    callTool('updateWorkingMemory', { memory: '# Ada\n- Lives in Lisbon' }),
    say('Hello Ada.'),
  );
  expect(await ask(first, 'ada', 'one')).toContain('# Unknown');
  expect(await ask(scripted(say('Hello.')), 'ada', 'two')).toContain('- Lives in Lisbon');
  expect(await ask(scripted(say('Hello.')), 'grace', 'one')).toContain('# Unknown');
  await keepsake.settled();
});

it('[matrix] mastra · save: memory that fails does not break the call, and says so once', async () => {
  const onTrouble = vi.fn();
  const keepsake = keepsakeMemory({ url: 'http://127.0.0.1:9', agent: 'guide', onTrouble });
  const { text } = await agentWith(keepsake, scripted(say('Still here.'))).generate('Hello');
  expect(text).toBe('Still here.');
  expect(await keepsake.settled()).toEqual({ waiting: 1 });
  expect(onTrouble).toHaveBeenCalledTimes(1);
});

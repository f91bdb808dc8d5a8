/** Memory tools, agents that run themselves, and the shipped embedding model, with the real AI SDK. */
import { embedMany, generateText, rerank, stepCountIs, ToolLoopAgent, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, it } from 'vitest';
import {
  agentMemory,
  keepsakeEmbedding,
  keepsakeMiddleware,
  keepsakeReranking,
  memoryTools,
} from '../../../src/adapters/ai-sdk/index.ts';
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
const scripted = (...answers: (ReturnType<typeof say> | ReturnType<typeof callTool>)[]) =>
  new MockLanguageModelV4({ doGenerate: async () => answers.shift() ?? say('Done.') });

it.each([
  ['in this process', async () => temporaryClient()],
  ['through a server', remoteClient],
])('[matrix] ai-sdk · tools: a model remembers and recalls by itself, %s', async (_, open) => {
  const client = await open();
  const whose = { client, agent: 'cook', user: 'ada' };
  const tools = memoryTools(whose);
  expect(Object.keys(tools)).toEqual(['remember', 'recall', 'forget']);
  await generateText({
    model: scripted(callTool('remember', { content: 'Ada does not eat peanuts.' }), say('Noted.')),
    prompt: 'I do not eat peanuts.',
    tools,
    stopWhen: stepCountIs(2),
  });
  const stored = await client.agent({ name: 'cook', user: 'ada' }).memory.list();
  expect(stored.map(({ content }) => content)).toEqual(['Ada does not eat peanuts.']);
  const { steps } = await generateText({
    model: scripted(callTool('recall', { query: 'peanuts' }), say('None.')),
    prompt: 'What do I not eat?',
    tools,
    stopWhen: stepCountIs(2),
  });
  expect(steps[0]!.toolResults[0]!.output).toContain('Ada does not eat peanuts.');
});

it('a tool that fails shows the model why', async () => {
  const { steps } = await generateText({
    model: scripted(callTool('forget', { id: 'mem_unknown' }), say('Sorry.')),
    prompt: 'Forget it.',
    tools: memoryTools({ client: temporaryClient() }),
    stopWhen: stepCountIs(2),
  });
  const failed = steps[0]!.content.find(({ type }) => type === 'tool-error');
  expect(failed).toMatchObject({ type: 'tool-error', toolName: 'forget' });
  expect(String((failed as { error: unknown }).error)).toContain('mem_unknown');
});

it('ToolLoopAgent gets memory into its instructions and saves its turns', async () => {
  const client = temporaryClient();
  const handle = client.agent({ name: 'guide' });
  await handle.memory.add({ content: 'The office is in Lisbon.' });
  const memory = agentMemory({ client, agent: 'guide' });
  const model = scripted(say('In Lisbon.'));
  const agent = new ToolLoopAgent({
    model,
    instructions: 'Be short.',
    prepareCall: memory.prepareCall,
    onEnd: memory.onEnd,
  });
  const { text } = await agent.generate({ prompt: 'Where is the office?' });
  await memory.settled();
  expect(text).toBe('In Lisbon.');
  const instructions = String(model.doGenerateCalls[0]!.prompt[0]!.content);
  expect(instructions).toMatch(/^Be short\.\n\n/);
  expect(instructions).toContain('The office is in Lisbon.');
  expect((await handle.log.get()).map(({ content }) => content)).toEqual([
    'Where is the office?',
    'In Lisbon.',
  ]);
});

it('the middleware works beside others in wrapLanguageModel', async () => {
  const client = temporaryClient();
  await client.agent({ name: 'assistant' }).memory.add({ content: 'The office is in Lisbon.' });
  const middleware = keepsakeMiddleware({ client });
  const model = scripted(say('In Lisbon.'));
  const wrapped = wrapLanguageModel({
    model,
    middleware: [
      { specificationVersion: 'v4', transformParams: async ({ params }) => ({ ...params }) },
      middleware,
    ],
  });
  await generateText({ model: wrapped, prompt: 'Where is the office?' });
  await middleware.settled();
  expect(String(model.doGenerateCalls[0]!.prompt[0]!.content)).toContain('Lisbon');
});

it('the shipped embedding model serves embedMany', async () => {
  const { embeddings } = await embedMany({
    model: keepsakeEmbedding(),
    values: ['a dog', 'a puppy', 'an invoice'],
  });
  const dot = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  const [dog, puppy, invoice] = embeddings as [number[], number[], number[]];
  expect(dot(dog, puppy)).toBeGreaterThan(dot(dog, invoice));
});

it('the ranking of memories serves rerank, for texts and for objects', async () => {
  const documents = ['The invoice is due in May.', 'Our office is in Lisbon.', 'The dog is called Bell.'];
  const { ranking, rerankedDocuments } = await rerank({
    model: keepsakeReranking(),
    query: 'Where is the office?',
    documents,
    topN: 2,
  });
  expect(rerankedDocuments[0]).toBe(documents[1]);
  expect(ranking.map(({ score }) => score)).toEqual([...ranking.map(({ score }) => score)].sort().reverse());
  expect(ranking).toHaveLength(2);
  const objects = await rerank({
    model: keepsakeReranking(),
    query: "What is the dog's name?",
    documents: documents.map((text, id) => ({ id, text })),
  });
  expect(objects.rerankedDocuments[0]).toMatchObject({ id: 2 });
});

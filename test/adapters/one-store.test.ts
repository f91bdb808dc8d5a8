/** One store behind all adapters: what one framework learns, the others find, for the right user only. */
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { HumanMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { invokeFunctionTool, RunContext } from '@openai/agents-core';
import { describe, expect, it } from 'vitest';
import { memoryTools as aiSdkTools } from '../../src/adapters/ai-sdk/index.ts';
import { keepsakeMemory } from '../../src/adapters/anthropic/index.ts';
import { memoryPrompt } from '../../src/adapters/langgraph/index.ts';
import { memoryTools as openAiTools } from '../../src/adapters/openai-agents/index.ts';
import type { Client } from '../../src/index.ts';
import { PLACES } from './support/places.ts';

const FACT = 'Anna is allergic to peanuts.';
const QUESTION = 'What is Anna allergic to?';

/** What each framework finds for a user. */
async function found(client: Client, user: string): Promise<string[]> {
  const whose = { client, user };
  const prompt = memoryPrompt(whose);
  let seen = '';
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', async (state) => {
      seen = (await prompt(state)).map(({ text }) => text).join('\n');
      return {};
    })
    .addEdge(START, 'model')
    .addEdge('model', END)
    .compile();
  await graph.invoke({ messages: [new HumanMessage(QUESTION)] });
  const recall = openAiTools(whose).find(({ name }) => name === 'recall')!;
  const openAi = await invokeFunctionTool({
    ...{ tool: recall, runContext: new RunContext({}), input: JSON.stringify({ query: QUESTION }) },
  });
  const claude = betaMemoryTool(keepsakeMemory(whose));
  const files = String(await claude.run({ command: 'view', path: '/memories' }));
  const file = files.includes('remembered.md')
    ? await claude.run({ command: 'view', path: '/memories/remembered.md' })
    : '';
  return [seen, String(openAi), String(file)];
}

describe.each(PLACES)('one store behind all adapters, $place', ({ open }) => {
  it('what an agent of the AI SDK remembers is found by LangGraph, OpenAI agents and Claude, for its user only', async () => {
    const client = await open();
    const { remember } = aiSdkTools({ client, user: 'anna' });
    await remember!.execute!({ content: FACT }, { toolCallId: '1', messages: [] } as never);
    for (const text of await found(client, 'anna')) expect(text).toContain('peanuts');
    for (const text of await found(client, 'ben')) expect(text).not.toContain('peanuts');
  });
});

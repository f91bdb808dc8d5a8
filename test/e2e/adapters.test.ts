/** One store behind all adapters: what an agent of the AI SDK learned is found by the others, for the right user only. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { RunContext } from '@openai/agents-core';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, it } from 'vitest';
import { memoryTools, withKeepsake } from '../../src/adapters/ai-sdk/index.ts';
import { keepsakeMemory as claudeMemory } from '../../src/adapters/anthropic/index.ts';
import { keepsakeMemory as mastraMemory } from '../../src/adapters/mastra/index.ts';
import { Memory } from '../../src/adapters/mem0/index.ts';
import { memoryTools as openaiTools } from '../../src/adapters/openai-agents/index.ts';
import { keepsakeStore } from '../../src/adapters/strands/index.ts';
import type { Client } from '../../src/index.ts';
import { testWorkspace } from '../fixtures/workspace.ts';

const FACT = 'Ada is allergic to peanuts.';
const QUESTION = 'Which allergy to nuts is known?';
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const said = {
  content: [{ type: 'text' as const, text: 'Fine.' }],
  finishReason: { unified: 'stop' as const, raw: undefined },
  usage,
  warnings: [],
};
const remembers = {
  ...said,
  content: [
    {
      type: 'tool-call' as const,
      toolCallId: 'call-1',
      toolName: 'remember',
      input: JSON.stringify({ content: FACT }),
    },
  ],
  finishReason: { unified: 'tool-calls' as const, raw: undefined },
};

const promptOf = (model: MockLanguageModelV4): string =>
  JSON.stringify([...model.doGenerateCalls, ...model.doStreamCalls].map(({ prompt }) => prompt));

/** By framework: everything that it shows of memory when this user asks. */
const SEEN: Readonly<Record<string, (client: Client, user: string) => Promise<string>>> = {
  'the AI SDK': async (client, user) => {
    const model = new MockLanguageModelV4({ doGenerate: said });
    const prompt = QUESTION;
    await generateText({ model: withKeepsake(model, { client, user, save: false }), prompt });
    return promptOf(model);
  },
  Mastra: async (client, user) => {
    const keepsake = mastraMemory({ client });
    const model = new MockLanguageModelV4({ doGenerate: said });
    const [id, instructions] = ['guide', 'Be short.'];
    const inputProcessors = [keepsake.recall()];
    const agent = new MastraAgent({ id, name: id, instructions, model: model as never, inputProcessors });
    await agent.generate(QUESTION, { memory: { resource: user, thread: 't' } });
    return promptOf(model);
  },
  'the OpenAI Agents SDK': async (client, user) => {
    const recall = openaiTools({ client, user }).find(({ name }) => name === 'recall')!;
    return String(await recall.invoke(new RunContext(), JSON.stringify({ query: QUESTION })));
  },
  "Claude's memory tool": async (client, user) => {
    const handlers = claudeMemory({ client, user });
    const files = String(await handlers.view({ command: 'view', path: '/memories' }));
    if (!files.includes('/memories/remembered.md')) return files;
    return String(await handlers.view({ command: 'view', path: '/memories/remembered.md' }));
  },
  mem0: async (client, user) => {
    const memory = new Memory({ keepsake: { client } });
    return JSON.stringify(await memory.search(QUESTION, { filters: { user_id: user } }));
  },
  Strands: async (client, user) => JSON.stringify(await keepsakeStore({ client, user }).search(QUESTION)),
};

it('what an agent of the AI SDK learned about a user, every other adapter and the command line find, for this user only', async () => {
  const workspace = testWorkspace();
  const client = workspace.open();
  const answers = [remembers, said];
  await generateText({
    model: new MockLanguageModelV4({ doGenerate: async () => answers.shift() ?? said }),
    prompt: 'I am allergic to peanuts.',
    tools: memoryTools({ client, user: 'ada@example.org' }),
    stopWhen: stepCountIs(2),
  });
  for (const [framework, see] of Object.entries(SEEN)) {
    expect([framework, (await see(client, 'ada@example.org')).includes(FACT)]).toEqual([framework, true]);
    expect([framework, (await see(client, 'grace')).includes('peanuts')]).toEqual([framework, false]);
  }
  await client.close();
  const program = join(import.meta.dirname, '../../bin/keepsake.js');
  const search = (user: string): string => {
    const words = ['memory', 'search', QUESTION, '--agent', 'assistant', '--user', user, '--json'];
    const args = [program, ...words, '--workspace', workspace.folder];
    return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout;
  };
  expect(search('ada@example.org')).toContain(FACT);
  expect(search('grace')).not.toContain('peanuts');
});

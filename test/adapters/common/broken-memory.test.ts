/** Every adapter on memory that really is broken: a damaged database, a server that is gone, a server that never answers. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { HumanMessage } from '@langchain/core/messages';
import { Agent } from '@mastra/core/agent';
import { generateText, streamText, ToolLoopAgent } from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { keepsakeMemoryService } from '../../../src/adapters/adk/index.ts';
import { agentMemory, withKeepsake } from '../../../src/adapters/ai-sdk/index.ts';
import { keepsakeMemory as claudeMemory } from '../../../src/adapters/anthropic/index.ts';
import { keepsakeHooks, keepsakeSessions } from '../../../src/adapters/claude-agent-sdk/index.ts';
import { keepsakeContext } from '../../../src/adapters/cloudflare/index.ts';
import { keepsakeSnapshots } from '../../../src/adapters/genkit/index.ts';
import { KeepsakeSaver, KeepsakeStore, memoryPrompt } from '../../../src/adapters/langgraph/index.ts';
import { keepsakeBlock } from '../../../src/adapters/llamaindex/index.ts';
import { keepsakeMemory as mastraMemory } from '../../../src/adapters/mastra/index.ts';
import { Memory } from '../../../src/adapters/mem0/index.ts';
import { KeepsakeSession } from '../../../src/adapters/openai-agents/index.ts';
import { keepsakeStore } from '../../../src/adapters/strands/index.ts';
import { type Client, createClient } from '../../../src/index.ts';
import { testWorkspace } from '../../fixtures/workspace.ts';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const finishReason = { unified: 'stop' as const, raw: undefined };
const model = () =>
  new MockLanguageModelV4({
    doGenerate: { content: [{ type: 'text', text: 'Fine.' }], finishReason, usage, warnings: [] },
    doStream: async () => ({
      stream: simulateReadableStream({
        chunks: [
          { type: 'text-start', id: '1' },
          { type: 'text-delta', id: '1', delta: 'Fine.' },
          { type: 'text-end', id: '1' },
          { type: 'finish', finishReason, usage },
        ],
      }),
    }),
  });

/** A server that takes connections and says nothing, or none at all. */
async function remote(isListening: boolean): Promise<Client> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const stop = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  if (!isListening) stop();
  const client = createClient({ url: `http://127.0.0.1:${port}`, apiKey: 'mk_test' });
  onTestFinished(async () => {
    stop();
    await client.close();
  });
  return client;
}

function damaged(): Client {
  const workspace = testWorkspace();
  mkdirSync(join(workspace.folder, 'data'), { recursive: true });
  writeFileSync(join(workspace.folder, 'data/keepsake.db'), 'this is not a database '.repeat(500));
  return workspace.open();
}

const BROKEN = {
  'a damaged database': async () => damaged(),
  'a server that is gone': () => remote(false),
  'a server that never answers': () => remote(true),
} as const;

interface Options {
  readonly client: Client;
  readonly onTrouble?: (error: unknown) => void;
  readonly timeoutMs?: number;
  readonly strict?: boolean;
}

const PROMPT = 'Which tea?';
const SESSION = { id: 's', appName: 'app', userId: 'anna', events: [] };
const spoken = { ...SESSION, events: [{ id: '1', author: 'user', content: { parts: [{ text: PROMPT }] } }] };

function mastraAgent(options: Options): Agent {
  const keepsake = mastraMemory(options);
  return new Agent({
    ...{ id: 'guide', name: 'guide', instructions: 'Be short.', model: model() as never },
    ...{ inputProcessors: [keepsake.recall()], outputProcessors: [keepsake.save()] },
  });
}

/** Two calls each, which continue without memory, and what they answer. */
const CONTINUES: Readonly<
  Record<string, { does(options: Options): () => Promise<unknown>; gives: unknown }>
> = {
  'ai-sdk, generateText': {
    does: (options) => {
      const wrapped = withKeepsake(model(), options);
      return async () => (await generateText({ model: wrapped, prompt: PROMPT })).text;
    },
    gives: 'Fine.',
  },
  'ai-sdk, streamText': {
    does: (options) => {
      const wrapped = withKeepsake(model(), options);
      return async () => streamText({ model: wrapped, prompt: PROMPT }).text;
    },
    gives: 'Fine.',
  },
  'ai-sdk, ToolLoopAgent': {
    does: (options) => {
      const { prepareCall, onEnd } = agentMemory(options);
      const agent = new ToolLoopAgent({ model: model(), prepareCall: prepareCall as never, onEnd });
      return async () => (await agent.generate({ prompt: PROMPT })).text;
    },
    gives: 'Fine.',
  },
  mastra: {
    does: (options) => {
      const agent = mastraAgent(options);
      const memory = { resource: 'anna', thread: 't' };
      return async () => (await agent.generate(PROMPT, { memory })).text;
    },
    gives: 'Fine.',
  },
  'langgraph, memoryPrompt': {
    does: (options) => {
      const prompt = memoryPrompt(options);
      return async () => (await prompt({ messages: [new HumanMessage(PROMPT)] })).map(({ text }) => text);
    },
    gives: [PROMPT],
  },
  'claude-agent-sdk, hooks': {
    does: (options) => {
      const [matcher] = keepsakeHooks(options).UserPromptSubmit;
      return () => matcher!.hooks[0]!({ hook_event_name: 'UserPromptSubmit', prompt: PROMPT });
    },
    gives: {},
  },
  'claude-agent-sdk, sessions': {
    does: (options) => {
      const sessions = keepsakeSessions(options);
      return () => sessions.append({ projectKey: 'p', sessionId: 's' }, [{ type: 'user', uuid: 'u' }]);
    },
    gives: undefined,
  },
  'openai-agents': {
    does: (options) => {
      const session = new KeepsakeSession(options);
      const item = { type: 'message', role: 'user', content: PROMPT } as const;
      return async () => {
        await session.addItems([item]);
        return (await session.getItems()).at(-1);
      };
    },
    gives: { type: 'message', role: 'user', content: PROMPT },
  },
  'adk, search': {
    does: (options) => {
      const service = keepsakeMemoryService(options);
      return () => service.searchMemory({ appName: 'app', userId: 'anna', query: PROMPT });
    },
    gives: { memories: [] },
  },
  'adk, sessions': {
    does: (options) => {
      const service = keepsakeMemoryService(options);
      return () => service.addSessionToMemory(spoken);
    },
    gives: undefined,
  },
  strands: {
    does: (options) => {
      const store = keepsakeStore(options);
      return () => store.search(PROMPT);
    },
    gives: [],
  },
  llamaindex: {
    does: (options) => {
      const block = keepsakeBlock(options);
      return () => block.get([{ id: '1', role: 'user', content: PROMPT }]);
    },
    gives: [],
  },
  cloudflare: {
    does: (options) => {
      const context = keepsakeContext(options);
      return async () => [await context.get(), await context.search(PROMPT), await context.set('k', 'v')];
    },
    gives: [null, null, undefined],
  },
};

/** These hold what the program would go on wrongly without, so that they say that they cannot. */
const RAISES: Readonly<Record<string, (options: { client: Client }) => Promise<unknown>>> = {
  'the store of langgraph': (options) => new KeepsakeStore(options).get(['a'], 'b'),
  'the checkpointer of langgraph': (options) =>
    new KeepsakeSaver(options).getTuple({ configurable: { thread_id: 't' } }),
  'snapshots of genkit': (options) => keepsakeSnapshots(options).getSnapshot({ snapshotId: 'x' }),
  "Claude's memory tool": async (options) =>
    claudeMemory(options).view({ command: 'view', path: '/memories' }),
  mem0: ({ client }) => new Memory({ keepsake: { client } }).search(PROMPT, { filters: { user_id: 'a' } }),
};

describe.each(Object.entries(BROKEN))('on %s', (_, open) => {
  it.each(Object.entries(CONTINUES))('%s goes on, and says so once', async (__, { does, gives }) => {
    const onTrouble = vi.fn();
    const call = does({ client: await open(), onTrouble, timeoutMs: 150 });
    expect(await call()).toEqual(gives);
    expect(await call()).toEqual(gives);
    await vi.waitFor(() => expect(onTrouble).toHaveBeenCalledTimes(1));
  });
});

/** A server that says nothing is waited for as long as the client of the program does. */
const SAYS_SO = Object.entries(BROKEN).filter(([name]) => name !== 'a server that never answers');

describe.each(SAYS_SO)('on %s', (_, open) => {
  it.each(Object.entries(CONTINUES))('%s fails with strict', async (__, { does }) => {
    await expect(does({ client: await open(), strict: true, timeoutMs: 5_000 })()).rejects.toThrow();
  });

  it.each(Object.entries(RAISES))('%s raises', async (__, call) => {
    await expect(call({ client: await open() })).rejects.toMatchObject({ name: 'KeepsakeError' });
  });
});

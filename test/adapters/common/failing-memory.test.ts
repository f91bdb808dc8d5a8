/** Adapters while memory fails or is slow: the call of the program goes on, one report is made, and the turn is stored later. */
import type { AgentInputItem } from '@openai/agents-core';
import { describe, expect, it, vi } from 'vitest';
import { keepsakeMemoryService } from '../../../src/adapters/adk/index.ts';
import { agentMemory, keepsakeMiddleware, withKeepsake } from '../../../src/adapters/ai-sdk/index.ts';
import { memoryTools as aiSdkTools } from '../../../src/adapters/ai-sdk/tools.ts';
import { keepsakeMemory as anthropicMemory } from '../../../src/adapters/anthropic/index.ts';
import { keepsakeHooks, keepsakeSessions } from '../../../src/adapters/claude-agent-sdk/index.ts';
import { keepsakeContext } from '../../../src/adapters/cloudflare/index.ts';
import { keepsakeSnapshots } from '../../../src/adapters/genkit/index.ts';
import { KeepsakeSaver, KeepsakeStore, memoryPrompt } from '../../../src/adapters/langgraph/index.ts';
import { keepsakeBlock } from '../../../src/adapters/llamaindex/index.ts';
import { keepsakeMemory as mastraMemory } from '../../../src/adapters/mastra/index.ts';
import { Memory } from '../../../src/adapters/mem0/index.ts';
import { KeepsakeSession, memoryTools } from '../../../src/adapters/openai-agents/index.ts';
import { keepsakeStore } from '../../../src/adapters/strands/index.ts';
import type { AgentHandle } from '../../../src/client/index.ts';
import type { Client } from '../../../src/index.ts';
import { KeepsakeError } from '../../../src/kernel/errors.ts';
import { temporaryClient } from '../support.ts';

type Mode = 'works' | 'fails' | 'hangs';

/** A client on a real store whose agents fail or never answer while `mode` says so. */
function unreliable() {
  const client = temporaryClient();
  const state = { mode: 'works' as Mode };
  const through = (target: object): object =>
    new Proxy(target, {
      get(object, key) {
        const value: unknown = Reflect.get(object, key, object);
        if (typeof value === 'object' && value !== null) return through(value);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          if (state.mode === 'hangs') return new Promise(() => {});
          if (state.mode === 'fails') return Promise.reject(new KeepsakeError('UNAVAILABLE', 'No memory.'));
          return value.apply(object, args);
        };
      },
    });
  const failing = new Proxy(client, {
    get(target, key) {
      if (key === 'agent') return (options: never) => through(target.agent(options)) as AgentHandle;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  }) as Client;
  return { client, failing, state };
}

const said = (text: string): AgentInputItem => ({ type: 'message', role: 'user', content: text });

describe.each(['fails', 'hangs'] as const)('memory that %s', (mode) => {
  const setUp = () => {
    const onTrouble = vi.fn();
    const memory = unreliable();
    return { ...memory, onTrouble, options: { client: memory.failing, onTrouble, timeoutMs: 20 } };
  };

  it('answers searches of ADK, Strands and Cloudflare with nothing', async () => {
    const { state, options, onTrouble } = setUp();
    const adk = keepsakeMemoryService(options);
    const strands = keepsakeStore(options);
    const cloudflare = keepsakeContext(options);
    state.mode = mode;
    const query = { appName: 'app', userId: 'anna', query: 'tea' };
    expect(await adk.searchMemory(query)).toEqual({ memories: [] });
    expect(await adk.searchMemory(query)).toEqual({ memories: [] });
    expect(await strands.search('tea')).toEqual([]);
    expect(await cloudflare.search('tea')).toBeNull();
    expect(onTrouble).toHaveBeenCalledTimes(3);
  });

  it('does not hold up hooks of the Claude Agent SDK or blocks of LlamaIndex', async () => {
    const { state, options } = setUp();
    const hooks = keepsakeHooks(options);
    const block = keepsakeBlock(options);
    state.mode = mode;
    const event = { hook_event_name: 'UserPromptSubmit', prompt: 'Which tea?' };
    expect(await hooks.UserPromptSubmit[0]!.hooks[0]!(event)).toEqual({});
    expect(await block.get([{ id: '1', role: 'user', content: 'Which tea?' }])).toEqual([]);
    await block.put([{ id: '1', role: 'user', content: 'Which tea?' }]);
  });

  it('leaves a session of OpenAI agents its history', async () => {
    const { client, state, options, onTrouble } = setUp();
    // Opens the store without a deadline: only memory that hangs may be late.
    await client.open();
    const session = new KeepsakeSession({ ...options, timeoutMs: 1_000, thread: 't' });
    await session.addItems([said('One.')]);
    state.mode = mode;
    await session.addItems([said('Two.')]);
    expect(await session.getItems()).toEqual([said('One.'), said('Two.')]);
    expect(await session.getItems(1)).toEqual([said('Two.')]);
    expect(onTrouble).toHaveBeenCalledTimes(1);
  });
});

describe('memory that works again', () => {
  it('stores what a session of OpenAI agents was told meanwhile, once and in order', async () => {
    const { client, failing, state } = unreliable();
    const session = new KeepsakeSession({ client: failing, thread: 't', onTrouble: () => {} });
    state.mode = 'fails';
    await session.addItems([said('One.')]);
    const transaction = { type: 'append_items', items: [said('Two.')] } as const;
    await session.applyHistoryTransaction({ operationId: 'a', transaction: transaction as never });
    state.mode = 'works';
    await session.addItems([said('Three.')]);
    const all = [said('One.'), said('Two.'), said('Three.')];
    expect(await session.getItems()).toEqual(all);
    expect(await new KeepsakeSession({ client, thread: 't' }).getItems()).toEqual(all);
  });

  it('stores what the Claude Agent SDK appended and ADK added meanwhile', async () => {
    const { client, failing, state } = unreliable();
    const options = { client: failing, onTrouble: () => {} };
    const [sessions, adk] = [keepsakeSessions(options), keepsakeMemoryService(options)];
    const key = { projectKey: 'p', sessionId: 's' };
    const entry = { type: 'user', uuid: 'u1' };
    const session = { id: 's', appName: 'app', userId: 'anna' };
    const event = (id: string, text: string) => ({ id, author: 'user', content: { parts: [{ text }] } });
    state.mode = 'fails';
    await sessions.append(key, [entry]);
    await adk.addSessionToMemory({ ...session, events: [event('1', 'Anna drinks oolong tea.')] });
    await expect(sessions.load(key)).rejects.toThrow('No memory.');
    state.mode = 'works';
    expect(await sessions.load(key)).toEqual([entry]);
    await adk.addSessionToMemory({ ...session, events: [event('2', 'Anna lives in Oslo.')] });
    const { memory } = client.agent({ name: 'app', user: 'anna' });
    expect(await memory.list()).toHaveLength(2);
  });
});

it('fails with strict when memory fails', async () => {
  const { failing: client, state } = unreliable();
  const options = { client, strict: true };
  const session = new KeepsakeSession(options);
  state.mode = 'fails';
  const key = { projectKey: 'p', sessionId: 's' };
  for (const call of [
    () => session.getItems(),
    () => session.addItems([said('One.')]),
    () => keepsakeSessions(options).append(key, [{ type: 'user' }]),
    () => keepsakeMemoryService(options).searchMemory({ appName: 'a', userId: 'u', query: 'q' }),
    () => keepsakeStore(options).search('q'),
  ]) {
    await expect(call()).rejects.toThrow('No memory.');
  }
});

it('refuses a misspelt option in every adapter, and names the nearest one', () => {
  const client = temporaryClient();
  const model = { doGenerate: async () => ({}), doStream: async () => ({}) };
  const misspelt = { client, usr: 'anna' } as never;
  const makers: Record<string, () => unknown> = {
    withKeepsake: () => withKeepsake(model as never, misspelt),
    keepsakeMiddleware: () => keepsakeMiddleware(misspelt),
    agentMemory: () => agentMemory(misspelt),
    'memoryTools of ai-sdk': () => aiSdkTools(misspelt),
    'memoryTools of openai-agents': () => memoryTools(misspelt),
    KeepsakeSession: () => new KeepsakeSession(misspelt),
    KeepsakeStore: () => new KeepsakeStore(misspelt),
    KeepsakeSaver: () => new KeepsakeSaver(misspelt),
    memoryPrompt: () => memoryPrompt(misspelt),
    'keepsakeMemory of mastra': () => mastraMemory(misspelt),
    'keepsakeMemory of anthropic': () => anthropicMemory(misspelt),
    keepsakeHooks: () => keepsakeHooks(misspelt),
    keepsakeSessions: () => keepsakeSessions(misspelt),
    keepsakeContext: () => keepsakeContext(misspelt),
    keepsakeSnapshots: () => keepsakeSnapshots(misspelt),
    keepsakeBlock: () => keepsakeBlock(misspelt),
    keepsakeStore: () => keepsakeStore(misspelt),
  };
  for (const [name, make] of Object.entries(makers)) {
    const sentence = `${name.split(' ')[0]}: "usr" is unknown; did you mean "user"?`;
    expect(make, name).toThrow(sentence);
  }
  expect(() => keepsakeMemoryService({ agnt: 'a' } as never)).toThrow('did you mean "agent"?');
  expect(() => new Memory({ keepsake: { workspce: 'x' } as never })).toThrow('did you mean "workspace"?');
  expect(() => mastraMemory({ client }).tools({ pack: [] } as never)).toThrow('did you mean "packs"?');
});

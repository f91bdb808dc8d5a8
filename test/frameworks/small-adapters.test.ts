/** The adapters of frameworks with small interfaces, typed against and used by the real packages. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type SessionStore as ClaudeSessionStore,
  type HookCallbackMatcher,
  type HookEvent,
  InMemorySessionStore,
} from '@anthropic-ai/claude-agent-sdk';
import { type BaseMemoryService, createEvent, InMemorySessionService, LoadMemoryTool } from '@google/adk';
import { type BaseMemoryBlock, createMemory } from '@llamaindex/core/memory';
import { MemoryManager, type MemoryStore } from '@strands-agents/sdk';
import type { SearchProvider } from 'agents/context';
import {
  InMemorySessionStore as GenkitMemoryStore,
  type SessionStore as GenkitSessionStore,
} from 'genkit/beta';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepsakeMemoryService } from '../../src/adapters/adk/index.ts';
import { keepsakeHooks, keepsakeSessions } from '../../src/adapters/claude-agent-sdk/index.ts';
import { keepsakeContext } from '../../src/adapters/cloudflare/index.ts';
import { keepsakeSnapshots } from '../../src/adapters/genkit/index.ts';
import { keepsakeBlock } from '../../src/adapters/llamaindex/index.ts';
import { keepsakeStore } from '../../src/adapters/strands/index.ts';
import { type Client, createClient } from '../../src/index.ts';
import { serve } from '../../src/surfaces/http/serve.ts';

const folder = mkdtempSync(join(tmpdir(), 'keepsake-frameworks-'));
const embedded = createClient({ workspace: folder });
let server: Awaited<ReturnType<typeof serve>>;
let remote: Client;

beforeAll(async () => {
  server = await serve(await embedded.open(), { port: 0, version: '0.0.0' });
  remote = createClient({ url: server.url, apiKey: readFileSync(server.serverKeyFile, 'utf8').trim() });
});
afterAll(async () => {
  await remote.close();
  await server.stop();
  await embedded.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(['embedded', 'remote'] as const)('%s', (place) => {
  const client = () => (place === 'embedded' ? embedded : remote);
  const column = (name: string) => (place === 'remote' ? 'remote' : name);

  it(`[matrix] claude-agent-sdk · ${column('save, threads')}: transcripts as the store of the SDK keeps them, each entry once`, async () => {
    const stores: ClaudeSessionStore[] = [
      new InMemorySessionStore(),
      keepsakeSessions({ client: client(), user: place }),
    ];
    const stories = await Promise.all(
      stores.map(async (store) => {
        const key = { projectKey: '-home-anna-project', sessionId: 's1' };
        const entries = [
          {
            type: 'user',
            uuid: 'u1',
            timestamp: '2026-01-01T00:00:00Z',
            message: { content: 'ünï \u0000', deep: [null] },
          },
          { type: 'assistant', uuid: 'u2', parentUuid: 'u1' },
        ];
        await store.append(key, entries);
        const title = { type: 'custom-title', customTitle: 'A' };
        await store.append(key, [title]);
        await store.append(key, [title]);
        await store.append({ ...key, subpath: 'subagents/agent-1' }, [{ type: 'user', uuid: 'u1' }]);
        const loaded = await store.load(key);
        const sub = await store.load({ ...key, subpath: 'subagents/agent-1' });
        const subkeys = await store.listSubkeys!(key);
        const none = await store.load({ ...key, sessionId: 'other' });
        const sessions = (await store.listSessions!('-home-anna-project')).map(({ sessionId }) => sessionId);
        await store.delete!(key);
        return {
          loaded,
          sub,
          subkeys,
          none,
          sessions,
          after: [await store.load(key), await store.listSubkeys!(key)],
        };
      }),
    );
    expect(stories[1]).toEqual(stories[0]);
    const store = stores[1]!;
    const batch = [
      { type: 'user', uuid: 'a' },
      { type: 'assistant', uuid: 'b' },
    ];
    const key = { projectKey: 'p', sessionId: 's2' };
    for (let tries = 0; tries < 3; tries++) await store.append(key, batch);
    expect(await store.load(key)).toEqual(batch);
  });

  it(`[matrix] claude-agent-sdk · ${column('recall, save')}: a prompt gets what is remembered, and what was said is saved`, async () => {
    const whose = { client: client(), agent: `coder ${place}`, user: 'anna' };
    const hooks = keepsakeHooks(whose);
    // The SDK takes them as they are.
    const typed: Partial<Record<HookEvent, HookCallbackMatcher[]>> = hooks as never;
    expect(Object.keys(typed)).toEqual(['UserPromptSubmit', 'Stop']);
    const handle = client().agent({ name: whose.agent, user: 'anna' });
    await handle.memory.add({ content: 'Tests are run with vitest in this project.' });
    const prompt = 'How are tests run in this project?';
    const answer = await hooks.UserPromptSubmit[0]!.hooks[0]!({
      hook_event_name: 'UserPromptSubmit',
      prompt,
    });
    expect(answer.hookSpecificOutput?.additionalContext).toContain('with vitest');
    await hooks.Stop[0]!.hooks[0]!({ hook_event_name: 'Stop', last_assistant_message: 'With vitest.' });
    const said = await handle.log.get({ limit: 10 });
    expect(JSON.stringify(said)).toMatch(/How are tests run.*With vitest\./s);
  });

  it(`[matrix] adk · ${column('recall, save, users')}: a session that was added is found by its user only, once`, async () => {
    const service: BaseMemoryService = keepsakeMemoryService({ client: client(), agent: `adk ${place}` });
    const sessions = new InMemorySessionService();
    const session = await sessions.createSession({ appName: 'app', userId: 'anna' });
    const content = { role: 'user', parts: [{ text: 'My train to Porto leaves on Friday.' }] };
    await sessions.appendEvent({
      session,
      event: createEvent({ author: 'user', content, invocationId: 'i' }),
    });
    const stored = (await sessions.getSession({ appName: 'app', userId: 'anna', sessionId: session.id }))!;
    await service.addSessionToMemory(stored);
    await service.addSessionToMemory(stored);
    const search = (userId: string) =>
      service.searchMemory({ appName: 'app', userId, query: 'When does the train leave?' });
    const { memories } = await search('anna');
    expect(memories.map(({ content: found }) => found.parts?.[0]?.text)).toEqual([content.parts[0]!.text]);
    expect((await search('ben')).memories).toEqual([]);
    expect(new LoadMemoryTool().name).toBe('load_memory');
  });

  it(`[matrix] strands · ${column('recall, save, users')}: a memory manager adds and searches`, async () => {
    const store: MemoryStore = keepsakeStore({ client: client(), agent: `strands ${place}`, user: 'anna' });
    const manager = new MemoryManager({ stores: [store] });
    await manager.add('Anna plays the cello.');
    await manager.add('Anna plays the cello.');
    const found = await manager.search('Which instrument does Anna play?');
    expect(found.map(({ content }) => content)).toEqual(['Anna plays the cello.']);
    const other = new MemoryManager({
      stores: [keepsakeStore({ client: client(), agent: `strands ${place}`, user: 'ben' })],
    });
    expect(await other.search('Which instrument does Anna play?')).toEqual([]);
  });

  it(`[matrix] cloudflare · ${column('recall, save')}: a context block is searched and written`, async () => {
    const provider: SearchProvider = keepsakeContext({
      client: client(),
      agent: `cf ${place}`,
      user: 'anna',
    });
    expect(await provider.get()).toBeNull();
    await provider.set!('diet', 'Anna is a vegetarian.');
    await provider.set!('diet', 'Anna eats fish again.');
    expect(await provider.get()).toBe('- Anna eats fish again.');
    expect(await provider.search('what does Anna eat')).toContain('fish');
    expect(await provider.search('what does Anna eat')).not.toContain('vegetarian');
  });

  it(`[matrix] llamaindex · ${column('recall, save')}: a memory block brings what fits the question into the prompt`, async () => {
    const whose = { client: client(), agent: `llama ${place}`, user: 'anna' };
    await client()
      .agent({ name: whose.agent, user: 'anna' })
      .memory.add({ content: 'Anna lives in Lisbon.' });
    const block = keepsakeBlock(whose) as BaseMemoryBlock;
    const memory = createMemory({ memoryBlocks: [block], tokenLimit: 10_000 });
    await memory.add({ role: 'user', content: 'Where does Anna live?' });
    const prompt = JSON.stringify(await memory.getLLM());
    expect(prompt).toContain('Anna lives in Lisbon.');
    await block.put([{ id: '1', role: 'user', content: 'An older message.' }]);
    const said = await client().agent({ name: whose.agent, user: 'anna' }).log.get({ limit: 5 });
    expect(JSON.stringify(said)).toContain('An older message.');
  });

  it(`[matrix] genkit · ${column('save, threads')}: snapshots as the store of Genkit keeps them, and no lost change`, async () => {
    type State = { n: number };
    const stores: GenkitSessionStore<State>[] = [
      new GenkitMemoryStore<State>(),
      keepsakeSnapshots({ client: client(), user: place }),
    ];
    const stories = await Promise.all(
      stores.map(async (store) => {
        const snapshot = (n: number, parentId?: string) => ({
          ...{
            sessionId: 's',
            createdAt: `2026-01-01T00:00:0${n}Z`,
            status: 'completed',
            state: { custom: { n } },
          },
          ...(parentId === undefined ? {} : { parentId }),
        });
        await store.saveSnapshot('one', () => snapshot(1) as never);
        await store.saveSnapshot('two', () => snapshot(2, 'one') as never);
        const skipped = await store.saveSnapshot('two', () => null);
        const made = await store.saveSnapshot(undefined, () => snapshot(3, 'two') as never);
        const ids = [
          await store.getSnapshot({ snapshotId: 'one' }),
          await store.getSnapshot({ snapshotId: 'none' }),
        ];
        const latest = await store.getSnapshot({ sessionId: 's' });
        return {
          skipped,
          ids,
          isLatest: latest?.snapshotId === made,
          unknown: await store.getSnapshot({ sessionId: 'x' }),
        };
      }),
    );
    expect(stories[1]).toEqual(stories[0]);
    const store = stores[1]!;
    const count = () =>
      store.saveSnapshot(
        'count',
        (current) =>
          ({
            ...{ sessionId: 'c', createdAt: '2026-01-01T00:00:00Z' },
            state: {
              custom: { n: ((current as { state: { custom: State } } | undefined)?.state.custom.n ?? 0) + 1 },
            },
          }) as never,
      );
    await Promise.all(Array.from({ length: 8 }, count));
    expect(await store.getSnapshot({ snapshotId: 'count' })).toMatchObject({ state: { custom: { n: 8 } } });
  });
});

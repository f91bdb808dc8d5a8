/** Whether and where a conversation is kept: the switches, the agent's name, the layout on disk. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/index.ts';
import { testWorkspace } from '../fixtures/workspace.ts';
import { errorOf, namesIn, said, shown, talk, testConversation } from './fixture.ts';

describe('the switch', () => {
  it('A-01 A-53 a conversation that is kept on disk is what agent.shortMemory is', async () => {
    const { memory, file } = await testConversation();
    expect(memory.constructor.name).toBe('Conversation');
    await memory.add('User', 'Remember the tea.');
    expect(readFileSync(file, 'utf8')).toContain('Remember the tea.');
  });

  it('A-02 persistentMemory is on unless someone switches it off', async () => {
    const { memory, file } = await testConversation();
    expect(memory.memoryMdPath).toBe(file);
    const config = (await testWorkspace().open().open()).config;
    expect(config.persistentMemory).toBe(true);
  });

  it('A-03 on: MEMORY.md is created at the first run', async () => {
    const { file } = await testConversation();
    expect(existsSync(file)).toBe(true);
  });

  it('A-05 on: new turns are written through to disk', async () => {
    const { memory, blocks } = await testConversation();
    await memory.add('User', 'one');
    expect(blocks()).toEqual(['User: one']);
    await memory.add('assistant', 'two');
    expect(blocks()).toEqual(['User: one', 'alice: two']);
  });

  it('A-06 A-64 off: nothing is preloaded, nothing is written, no folder, fresh every run', async () => {
    const first = await testConversation();
    await first.memory.add('User', 'said when it was on');
    const before = first.text();
    const off = await first.restart({ persistentMemory: false });
    expect(off.memoryMdPath).toBeNull();
    expect(await off.messages()).toEqual([]);
    await off.add('User', 'said when it was off');
    await off.compact({ summary: 'Something was said when it was off.' });
    expect(first.text()).toBe(before);
    expect(first.archives()).toEqual([]);
    const again = await first.restart({ persistentMemory: false });
    expect(await again.messages()).toEqual([]);
  });

  it('A-06 off from the beginning: neither a file nor a folder, not even for archives', async () => {
    const { memory, folder, home } = await testConversation({ persistentMemory: false });
    await memory.add('User', 'secret');
    await memory.compact({ summary: 'A secret was told.' });
    await memory.clear();
    expect(existsSync(home)).toBe(false);
    expect(namesIn(folder)).toEqual(['data']);
  });

  it('A-06 off leaves nothing of what was said anywhere in the workspace', async () => {
    const workspace = testWorkspace();
    const client = workspace.open();
    const memory = await client.agent({ name: 'alice', persistentMemory: false }).shortMemory;
    await memory.add('User', 'xyzzy-secret');
    await client.close();
    expect(workspace.bytes()).not.toContain('xyzzy-secret');
  });

  it('the configuration switches it off too, for all agents or for one', async () => {
    const workspace = testWorkspace();
    const client = workspace.open({ config: { agents: { quiet: { persistentMemory: false } } } });
    await client.agent({ name: 'quiet' }).shortMemory;
    await client.agent({ name: 'loud' }).shortMemory;
    expect(namesIn(join(workspace.folder, 'agents'))).toEqual(['loud']);
  });
});

describe('the name', () => {
  it('A-08 another name is another folder and another conversation', async () => {
    const workspace = testWorkspace();
    const alice = await testConversation({ name: 'alice' }, workspace);
    const bob = await testConversation({ name: 'bob' }, workspace);
    await alice.memory.add('User', 'for alice');
    await bob.memory.add('User', 'for bob');
    expect(alice.blocks()).toEqual(['User: for alice']);
    expect(bob.blocks()).toEqual(['User: for bob']);
    expect(await shown(await bob.restart())).toEqual(['User: for bob']);
  });

  it('A-10 the agent that is meant when none is named is swarm-worker-01', async () => {
    const { folder, open } = testWorkspace();
    const client = open();
    const { config } = await client.open();
    await client.agent({ name: config.name }).shortMemory;
    expect(existsSync(join(folder, 'agents', 'swarm-worker-01', 'MEMORY.md'))).toBe(true);
  });

  it('A-11 (what needs no run loop) an agent has its own model, switches and chunk size', async () => {
    const researcher = {
      models: { main: 'openai/gpt-4.1' },
      persistentMemory: false,
      contextCompression: false,
      knowledge: { everyLoop: true, chunkSize: 500 },
    };
    const { config } = await testWorkspace()
      .open({ config: { agents: { researcher } } })
      .open();
    expect(config.agents.researcher).toMatchObject(researcher);
  });

  it.each(['../../evil', '..', 'a/b', 'a\\b', '.hidden', 'CON', '', ' x', 'x.memory', 'a\u0000b'])(
    'the name %j is refused and nothing is created',
    async (name) => {
      const { folder, open } = testWorkspace();
      const client = open();
      expect(() => client.agent({ name })).toThrow(expect.objectContaining({ code: 'INVALID_NAME' }));
      expect(namesIn(folder)).toEqual([]);
    },
  );

  it('a name that differs from an existing one only in case is refused', async () => {
    const { memory, open, folder } = await testConversation({ name: 'Alice' });
    await memory.add('User', 'hello');
    const error = await errorOf(open().agent({ name: 'alice' }).shortMemory);
    expect([error.code, error.message]).toEqual(['INVALID_NAME', expect.stringContaining('"Alice"')]);
    expect(namesIn(join(folder, 'agents'))).toEqual(['Alice']);
  });

  it.each(['User', 'system', 'Tool', 'human', 'Developer'])(
    'an agent cannot be called %s, which is a role',
    async (name) => {
      const error = await errorOf(testWorkspace().open().agent({ name }).shortMemory);
      expect(error.code).toBe('INVALID_NAME');
    },
  );

  it('"assistant" is a good name', async () => {
    const { memory, blocks } = await testConversation({ name: 'assistant' });
    await memory.add('assistant', 'Hello.');
    expect(blocks()).toEqual(['assistant: Hello.']);
    expect((await memory.toMessages()).map(({ role }) => role)).toEqual(['assistant']);
  });
});

describe('the layout', () => {
  it('A-20 A-22 A-54 agents/<name>/MEMORY.md below the workspace', async () => {
    const { memory, folder } = await testConversation({ name: 'ResearchAgent' });
    expect(memory.memoryMdPath).toBe(join(folder, 'agents', 'ResearchAgent', 'MEMORY.md'));
    expect(existsSync(memory.memoryMdPath!)).toBe(true);
  });

  it('A-20 $WORKSPACE_DIR is the workspace when none is given', async () => {
    const { folder } = testWorkspace();
    const saved = process.env.WORKSPACE_DIR;
    process.env.WORKSPACE_DIR = folder;
    const client = createClient();
    try {
      const memory = await client.agent({ name: 'alice' }).shortMemory;
      expect(memory.memoryMdPath).toBe(join(folder, 'agents', 'alice', 'MEMORY.md'));
    } finally {
      await client.close();
      if (saved === undefined) delete process.env.WORKSPACE_DIR;
      else process.env.WORKSPACE_DIR = saved;
    }
  });

  it('A-15 A-21 archive/history_YYYY-MM-DD_HH-MM-SS.md, one for each compaction', async () => {
    const { memory, archives, clock } = await testConversation();
    clock.set('2026-04-20T14:30:45Z');
    await memory.add('User', 'one');
    await memory.compact({ summary: 'The user said one.' });
    clock.set('2026-04-20T16:12:08Z');
    await memory.compact({ summary: 'The user said one, long ago.' });
    expect(archives()).toEqual(['history_2026-04-20_14-30-45.md', 'history_2026-04-20_16-12-08.md']);
  });
});

describe('stopping in the middle of a run', () => {
  it('A-65 A-66 memoryMdPath = null stops future writes and deletes nothing', async () => {
    const { memory, text, restart } = await testConversation();
    await memory.add('User', 'before');
    memory.memoryMdPath = null;
    const before = text();
    await memory.add('User', 'after');
    await memory.compact({ summary: 'Nobody reads this on disk.' });
    expect(text()).toBe(before);
    expect(memory.memoryMdPath).toBeNull();
    expect(await said(await restart())).toEqual(['User: before']);
  });

  it('A-65 what was asked for before is written, what is asked for after is not, also without waiting', async () => {
    const { memory, blocks, open, restart } = await testConversation();
    const adding = [memory.add('User', 'before')];
    memory.memoryMdPath = null;
    adding.push(memory.add('User', 'after'));
    await Promise.all(adding);
    expect(blocks()).toEqual(['User: before']);
    const { storage } = await open().open();
    expect((await storage.log.read({ agent: 'alice', limit: 10 })).map(({ content }) => content)).toEqual([
      'before',
    ]);
    expect(await said(await restart())).toEqual(['User: before']);
  });

  it('MEMORY.md cannot be moved by assigning another path', async () => {
    const { memory } = await testConversation();
    expect(() => {
      memory.memoryMdPath = '/tmp/elsewhere.md';
    }).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });

  it('A-13 A-67 the history of the run goes on in memory, either way', async () => {
    const stopped = await testConversation();
    await talk(stopped.memory, 1);
    stopped.memory.memoryMdPath = null;
    await talk(stopped.memory, 1, 2);
    expect(await said(stopped.memory)).toEqual([
      'User: question 1',
      'alice: answer 1',
      'User: question 2',
      'alice: answer 2',
    ]);
    const off = await testConversation({ persistentMemory: false });
    await talk(off.memory, 1);
    expect(await said(off.memory)).toEqual(['User: question 1', 'alice: answer 1']);
  });
});

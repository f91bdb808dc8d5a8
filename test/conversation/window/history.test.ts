/** History levels, the window, the thread, and the short-term memory of one session. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ContextCompressor } from '../../../src/index.ts';
import { contextLengthOf } from '../../../src/kernel/context-length.ts';
import { testWorkspace } from '../../fixtures/workspace.ts';
import { said, shown, talk, testConversation } from '../fixture.ts';

describe('levels', () => {
  it('D-03 D-04 low is the default and replays the last 10', async () => {
    const { memory, restart, open } = await testConversation();
    expect((await open().open()).config.history).toBe('low');
    await talk(memory, 30);
    expect(await (await restart()).turns()).toHaveLength(10);
  });

  it.each([
    ['D-05', 'medium', 50],
    ['D-06', 'high', 200],
    ['D-04', 'low', 10],
  ] as const)('%s %s replays the last %i', async (_row, history, count) => {
    const { memory, restart } = await testConversation({ history });
    await talk(memory, 120);
    const turns = await (await restart()).turns();
    expect(turns).toHaveLength(count);
    expect(turns.at(-1)!.content).toBe('answer 120');
    expect(turns[0]!.content).toBe(`question ${120 - count / 2 + 1}`);
  });

  it.each(['off', false] as const)(
    'D-07 %s replays nothing and stores nothing in the log',
    async (history) => {
      const { memory, restart, open } = await testConversation({ history, persistentMemory: false });
      await talk(memory, 5);
      expect(await memory.turns()).toHaveLength(10);
      const { storage } = await open().open();
      expect(await storage.log.count({ agent: 'alice' })).toBe(0);
      expect(await (await restart()).messages()).toEqual([]);
    },
  );

  it('D-07 off with MEMORY.md: the file is the memory, the log has nothing', async () => {
    const { memory, blocks, restart, open } = await testConversation({ history: 'preamble' });
    await talk(memory, 2);
    expect(blocks()).toHaveLength(4);
    const { storage } = await open().open();
    expect(await storage.log.count({ agent: 'alice' })).toBe(0);
    expect((await (await restart()).startUp()).preamble).toContain('question 1');
  });

  it('D-03 the configuration sets it for all or for one, and YAML’s boolean off is understood', async () => {
    const workspace = testWorkspace();
    const config = { history: 'medium' as const, agents: { alice: { history: false as const } } };
    const client = workspace.open({ config });
    const alice = await client.agent({ name: 'alice', persistentMemory: false }).shortMemory;
    const bob = await client.agent({ name: 'bob' }).shortMemory;
    await talk(alice, 1);
    await talk(bob, 1);
    const { storage } = await client.open();
    expect(await storage.log.count({ agent: 'alice' })).toBe(0);
    expect(await storage.log.count({ agent: 'bob' })).toBe(2);
  });

  it('D-08 all messages are stored in data/keepsake.db, only the last N are sent', async () => {
    const { memory, restart, folder, open } = await testConversation();
    await talk(memory, 30);
    expect(existsSync(join(folder, 'data', 'keepsake.db'))).toBe(true);
    const { storage } = await open().open();
    expect(await storage.log.count({ agent: 'alice', thread: 'alice' })).toBe(60);
    expect(await (await restart()).turns()).toHaveLength(10);
  });

  it('D-09 the thread is the agent’s name; every message carries the id of its run', async () => {
    const { memory, restart, open } = await testConversation({ run: 'run_one' });
    await memory.add('User', 'in the first run');
    const again = await restart({ run: 'run_two' });
    await again.add('User', 'in the second run');
    expect(again.thread).toBe('alice');
    expect((await again.turns()).map(({ run }) => run)).toEqual(['run_one', 'run_two']);
    const { storage } = await open().open();
    const logged = await storage.log.read({ thread: 'alice', limit: 10 });
    expect(logged.map(({ agent, thread, run }) => [agent, thread, run])).toEqual([
      ['alice', 'alice', 'run_one'],
      ['alice', 'alice', 'run_two'],
    ]);
  });

  it('D-10 the system message is fresh at every start, and old ones are nowhere', async () => {
    const { memory, restart, text } = await testConversation({ systemPrompt: 'Today is Monday.' });
    await memory.add('User', 'hello');
    const again = await restart({ systemPrompt: 'Today is Tuesday.' });
    expect(await shown(again)).toEqual(['System: Today is Tuesday.', 'User: hello']);
    expect(text()).not.toContain('Monday');
  });

  it('D-01 history and sections are independent of one another', async () => {
    const workspace = testWorkspace();
    const client = workspace.open();
    const agent = client.agent({ name: 'alice', history: 'off', persistentMemory: false });
    await (await agent.shortMemory).add('User', 'gone tomorrow');
    await agent.sections.save('profile', 'Likes tea.');
    await client.close();
    const later = workspace.open().agent({ name: 'alice', history: 'low' });
    expect(await (await later.shortMemory).turns()).toEqual([]);
    expect(readFileSync(join(workspace.folder, 'agents', 'alice.memory.md'), 'utf8')).toContain('Likes tea.');
  });

  it('D-25 critical knowledge survives when old messages are trimmed', async () => {
    const workspace = testWorkspace();
    const client = workspace.open();
    const agent = client.agent({ name: 'alice' });
    const memory = await agent.shortMemory;
    await memory.add('User', 'I am allergic to nuts.');
    await agent.sections.save('health', 'Allergic to nuts.');
    await talk(memory, 50);
    await client.close();
    const later = workspace.open().agent({ name: 'alice', persistentMemory: false, history: 'low' });
    expect((await said(await later.shortMemory)).join()).not.toContain('nuts');
    expect(await later.sections.get('health')).toMatchObject({ content: 'Allergic to nuts.' });
    // Nor is the message itself gone.
    const { messages } = await (await later.shortMemory).moreContext({ query: 'allergic', limit: 1 });
    expect(messages.map(({ content }) => content)).toEqual(['I am allergic to nuts.']);
  });
});

describe('without MEMORY.md, by the log alone', () => {
  const LOG_ONLY = { persistentMemory: false, history: 'low' } as const;

  it('the last turns are replayed and there is no preamble', async () => {
    const { memory, restart, home } = await testConversation(LOG_ONLY);
    await talk(memory, 30);
    const again = await restart();
    expect(await again.messages()).toHaveLength(10);
    expect(existsSync(home)).toBe(false);
  });

  it('a summary stays in view however much is said after it', async () => {
    const { memory, restart } = await testConversation(LOG_ONLY);
    await talk(memory, 10);
    await memory.compact({ summary: 'They spoke of ten things.', keepLast: 2 });
    await talk(memory, 100, 11);
    const again = await said(await restart());
    expect(again[0]).toBe('System: [Compressed Memory Summary]\nThey spoke of ten things.');
    expect(again).toHaveLength(11);
    expect(again.at(-1)).toBe('alice: answer 110');
  });

  it('what was cleared stays so, also when it is cleared twice', async () => {
    const { memory, restart } = await testConversation(LOG_ONLY);
    await talk(memory, 3);
    await memory.clear();
    await memory.clear();
    expect(await (await restart()).turns()).toEqual([]);
  });

  it('deleted and updated messages stay so', async () => {
    const { memory, restart } = await testConversation(LOG_ONLY);
    const one = await memory.add('User', 'one');
    const two = await memory.add('User', 'two');
    await memory.delete(one.id);
    await memory.update(two.id, 'changed');
    expect(await said(await restart())).toEqual(['User: changed']);
  });

  it('a compaction does not hide what another process said', async () => {
    const { memory, open, restart } = await testConversation(LOG_ONLY);
    const other = await open().agent({ name: 'alice', ...LOG_ONLY }).shortMemory;
    await memory.add('User', 'mine');
    await other.add('User', 'theirs');
    await memory.add('User', 'mine again');
    await memory.compact({ summary: 'I said something twice.' });
    const again = await said(await restart());
    expect(again).toContain('User: theirs');
    expect(again[0]).toContain('I said something twice.');
  });
});

describe('the window', () => {
  const call = (id: string) => ({ type: 'tool-call', toolCallId: id, toolName: 'look', input: {} });
  const result = (id: string) => ({ type: 'tool-result', toolCallId: id, toolName: 'look', output: id });

  it('never starts with an answer: it is cut forward to the next user turn', async () => {
    const { memory, restart } = await testConversation();
    for (let i = 1; i <= 8; i++) {
      await memory.add('User', `question ${i}`);
      await memory.add('assistant', `answer ${i}`);
      await memory.add('assistant', `more ${i}`);
    }
    const turns = await said(await restart());
    expect(turns[0]).toBe('User: question 6');
    expect(turns).toHaveLength(9);
  });

  it('never starts with a tool result, and takes none without its call', async () => {
    const { memory, restart } = await testConversation();
    await memory.add('User', 'first');
    await memory.add('assistant', [call('a')]);
    await memory.add('User', 'are you done?');
    await memory.add('tool', [result('a')]);
    for (let i = 0; i < 7; i++) await memory.add('assistant', `thought ${i}`);
    await memory.add('assistant', 'done');
    const again = await restart();
    const turns = await again.turns();
    expect(turns[0]!.content).toBe('are you done?');
    expect(turns.some(({ role }) => role === 'Tool')).toBe(false);
    // What is not replayed is told in the preamble.
    expect((await again.startUp()).preamble).toContain('tool-result');
  });

  it('a turn that is longer than the window is led by its question, and the middle is left out', async () => {
    const { memory, restart } = await testConversation();
    await memory.add('User', 'Please look at everything.');
    for (let i = 1; i <= 12; i++) {
      await memory.add('assistant', [call(`c${i}`)]);
      await memory.add('tool', [result(`c${i}`)]);
    }
    const turns = await (await restart()).turns();
    expect(turns[0]!.content).toBe('Please look at everything.');
    expect(turns.slice(1).map(({ role }) => role)).toEqual(Array(4).fill(['alice', 'Tool']).flat());
    expect(turns.at(-1)!.content).toEqual([result('c12')]);
  });

  it('what other agents say is a user turn too', async () => {
    const { memory, restart } = await testConversation();
    for (let i = 1; i <= 10; i++) {
      await memory.add('bob', `bob ${i}`);
      await memory.add('assistant', `alice ${i}`);
      await memory.add('assistant', `alice ${i} again`);
    }
    expect((await said(await restart()))[0]).toBe('bob: bob 8');
  });

  it('without any user turn everything is in the preamble', async () => {
    const { memory, restart } = await testConversation();
    for (let i = 1; i <= 4; i++) await memory.add('assistant', `thought ${i}`);
    const again = await restart();
    expect(await again.turns()).toEqual([]);
    expect((await again.startUp()).preamble).toContain('thought 4');
  });
});

describe('short-term memory', () => {
  it('C-02 C-20 system prompt and the task, and nothing else, at the beginning', async () => {
    const { memory } = await testConversation({ systemPrompt: 'You are kind.' });
    await memory.add('User', 'the task');
    expect(await shown(memory)).toEqual(['System: You are kind.', 'User: the task']);
  });

  it('C-02 after a long past: system prompt and the last N messages', async () => {
    const { memory, restart } = await testConversation({
      systemPrompt: 'You are kind.',
      persistentMemory: false,
      history: 'low',
    });
    await talk(memory, 50);
    const messages = await shown(await restart());
    expect(messages).toHaveLength(11);
    expect(messages[0]).toBe('System: You are kind.');
  });

  it('C-03 of one session and one agent, and gone with it', async () => {
    const workspace = testWorkspace();
    const client = workspace.open();
    const open = (name: string) => client.agent({ name, persistentMemory: false }).shortMemory;
    const [alice, bob] = [await open('alice'), await open('bob')];
    await alice.add('User', 'for alice');
    expect(await bob.turns()).toEqual([]);
    expect(await (await open('alice')).turns()).toEqual([]);
  });

  it('C-04 128K tokens for DeepSeek-V3, 200K for Claude', () => {
    expect(contextLengthOf('deepseek/deepseek-v3')).toEqual({ tokens: 128_000, known: true });
    expect(contextLengthOf('anthropic/claude-sonnet-4-6')).toEqual({ tokens: 200_000, known: true });
  });

  it('C-23 C-24 after a compaction the context is short, and everything that was said is still at hand', async () => {
    const { memory } = await testConversation();
    await talk(memory, 60);
    const { tokens } = await new ContextCompressor().measure(memory);
    const compressor = new ContextCompressor({ contextLength: tokens });
    expect((await compressor.compressIfNeeded(memory)).compressed).toBe(true);
    expect((await compressor.measure(memory)).tokens).toBeLessThan(tokens / 2);
    const { messages, more } = await memory.moreContext({ limit: 500 });
    expect(more).toBe(false);
    expect(messages.map(({ content }) => content)).toEqual(
      Array.from({ length: 60 }, (_, i) => [`question ${i + 1}`, `answer ${i + 1}`]).flat(),
    );
  });
});

/** What people ask of conversations from outside: compact, compare with an archive, import; and what replays afterwards. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/index.ts';
import { testWorkspace } from '../fixtures/workspace.ts';
import { errorOf, said, shown, talk, testConversation } from './fixture.ts';

const caller = { viewer: { agent: 'alice', role: 'worker' }, via: 'cli' } as const;
const service = async (client: Client) => (await client.open()).conversations;

/** Long enough that an extract of it is shorter. */
const TALK = [
  ['User', 'Hello there!'],
  ['assistant', 'Hello! How can I help you today?'],
  ['User', 'We decided to move the launch to 12 March.'],
  ['assistant', 'Noted.'],
  ['User', 'Room 7.'],
  ['assistant', 'Sure, thank you for telling me about it.'],
  ['User', 'Thanks!'],
  ['assistant', 'Of course, any time, and have a nice day.'],
] as const;

async function talked() {
  const conversation = await testConversation();
  for (const [role, text] of TALK) await conversation.memory.add(role, text);
  await conversation.memory.close();
  return conversation;
}

describe('compact without a summary', () => {
  it('keeps short facts, leaves courtesies out, and quotes nothing of our own', async () => {
    const { open, text, home, restart } = await talked();
    // A second process, in which the turns that do not fit the window are told in the preamble.
    writeFileSync(
      join(home, 'MEMORY.md'),
      text().replace('## Interaction Log', 'A note.\n\n## Interaction Log'),
    );
    const { summary, by, replaced } = await (await service(open())).compact({}, caller);
    expect({ by, replaced }).toEqual({ by: 'extractive', replaced: 8 });
    expect(summary.content).toContain('- User: We decided to move the launch to 12 March.');
    expect(summary.content).toContain('- User: Room 7.');
    expect(summary.content).not.toMatch(
      /Persistent Memory|Agent Memory|\*\*Conversation|Interaction Log|Hello/,
    );
    const again = await shown(await restart());
    expect(again).toHaveLength(1);
    expect(again[0]).toContain('Room 7.');
  });

  it('does not summarise what --keep-last keeps, also beyond the window', async () => {
    const { open, memory, blocks } = await testConversation();
    await talk(memory, 20);
    await memory.close();
    const { summary } = await (await service(open())).compact({ keepLast: 14 }, caller);
    expect(summary.content).toContain('question 13');
    expect(summary.content).not.toContain('question 14');
    expect(blocks()).toHaveLength(15);
    expect(blocks()[1]).toBe('User: question 14');
  });

  it('is not done to its own summary again', async () => {
    const { open, archives, text } = await talked();
    const client = open();
    await (await service(client)).compact({}, caller);
    const before = text();
    const error = await errorOf((await service(open())).compact({}, caller));
    expect(error.code).toBe('NOT_FOUND');
    expect(error.message).toMatch(/nothing to compact/);
    expect(text()).toBe(before);
    expect(archives()).toHaveLength(1);
    // A person may still put a better one in its place.
    await (await service(open())).compact({ summary: 'Launch on 12 March, room 7.' }, caller);
    expect(text()).toContain('Launch on 12 March, room 7.');
  });

  it('cannot keep messages of an agent without a history', async () => {
    const { memory, open, text } = await testConversation({ history: 'preamble' });
    await talk(memory, 10);
    await memory.close();
    const before = text();
    const conversations = await service(open({ config: { history: 'preamble' } }));
    const error = await errorOf(conversations.compact({ keepLast: 4 }, caller));
    expect(error).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringMatching(/no history/) });
    expect(text()).toBe(before);
  });

  it('is refused where it would make the conversation longer', async () => {
    const { open, memory, text } = await testConversation();
    await memory.add('User', 'The launch is on 12 March.');
    await memory.close();
    const before = text();
    const error = await errorOf((await service(open())).compact({}, caller));
    expect(error).toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringMatching(/would not make the conversation shorter/),
    });
    expect(text()).toBe(before);
  });

  it('leaves no trace where nobody said anything', async () => {
    const { open, folder } = testWorkspace();
    const error = await errorOf((await service(open())).compact({}, caller));
    expect(error.message).toMatch(/nothing to compact/);
    expect(existsSync(join(folder, 'agents'))).toBe(false);
  });
});

describe('diff', () => {
  it('compares an archive with the active MEMORY.md, not with the log', async () => {
    const { open, memory } = await testConversation();
    await memory.add('User', 'I like green tea.');
    const { archive } = await memory.compact({ summary: 'The user likes green tea.' });
    await memory.close();
    const lines = await (await service(open())).diff(archive!, undefined, caller);
    expect(lines).toContain('- I like green tea.');
    expect(lines).toContain('+ The user likes green tea.');
  });

  it('shows all of an archive as gone when there is no MEMORY.md', async () => {
    const { open, memory, home } = await testConversation();
    await memory.add('User', 'I like green tea.');
    const { archive } = await memory.compact({ summary: 'The user likes green tea.' });
    memory.memoryMdPath = null;
    await memory.close();
    rmSync(join(home, 'MEMORY.md'));
    const lines = await (await service(open())).diff(archive!, undefined, caller);
    expect(lines).toContain('- I like green tea.');
    expect(lines.filter((line) => line.startsWith('+ ') && line !== '+ ')).toEqual([]);
    expect(readdirSync(home)).not.toContain('MEMORY.md');
  });
});

describe('import', () => {
  it('twice at the same moment adds every block once', async () => {
    const source = await talked();
    const { text } = await (await service(source.open())).export({ format: 'json' }, caller);
    const target = await testConversation();
    await target.memory.close();
    const clients = [target.open(), target.open(), target.open()];
    const services = await Promise.all(clients.map(service));
    const results = await Promise.all(services.map((each) => each.import({ text }, caller)));
    expect(results.map(({ messages }) => messages).sort()).toEqual([0, 0, TALK.length]);
    expect(target.blocks()).toHaveLength(TALK.length);
  });
});

describe('replay', () => {
  const call = (id: string) => [{ type: 'tool-call', toolCallId: id, toolName: 'search', input: {} }];
  const result = (id: string) => [{ type: 'tool-result', toolCallId: id, toolName: 'search', output: 1 }];

  it.each([true, false])(
    'leaves a call out that was never answered, with MEMORY.md %s',
    async (persistentMemory) => {
      const { memory, restart } = await testConversation({ persistentMemory, history: 'low' });
      await memory.add('User', 'Look it up.');
      await memory.add('assistant', call('c1'));
      await memory.add('Tool', result('c1'));
      await memory.add('assistant', 'Found.');
      await memory.add('User', 'And the other one?');
      await memory.add('assistant', [...call('c2'), ...call('c3')]);
      await memory.add('Tool', result('c3'));
      // While it lasts, the answer may still come.
      expect(await memory.turns()).toHaveLength(7);
      const turns = await (await restart({ history: 'low' })).turns();
      expect(turns.map(({ role }) => role)).toEqual(['User', 'alice', 'Tool', 'alice', 'User']);
    },
  );

  it('from the log alone begins with what an archive brought back', async () => {
    const { memory, restart } = await testConversation();
    await talk(memory, 3);
    const { archive } = await memory.compact({ summary: 'Three questions were asked and answered.' });
    await memory.archives.restore(archive!);
    const turns = await said(await restart({ persistentMemory: false, history: 'low' }));
    expect(turns).toContain('User: question 1');
    expect(turns).toContain('alice: answer 3');
  });
});

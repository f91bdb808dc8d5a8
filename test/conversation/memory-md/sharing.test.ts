/** Several processes on one agent, played by several clients: nobody's turns are lost when one of them compacts. */
import { describe, expect, it } from 'vitest';
import { blocksOf, said, talk, testConversation } from '../fixture.ts';

const SUMMARY = 'I said something.';
const MARKED = `System: [Compressed Memory Summary]\n${SUMMARY}`;

describe('while one compacts', () => {
  it('the turns of the other stay in the file, and only once', async () => {
    const { memory, open, blocks } = await testConversation();
    const other = await open().agent({ name: 'alice' }).shortMemory;
    await memory.add('User', 'mine');
    await other.add('User', 'theirs');
    await memory.add('User', 'mine again');
    const { archive } = await memory.compact({ summary: SUMMARY });
    expect(blocks()).toEqual([MARKED, 'User: theirs']);
    expect(blocksOf(await memory.archives.read(archive!))).toEqual(['User: mine', 'User: mine again']);
    await other.compact({ summary: 'They said something.' });
    expect(blocks()).toEqual(['System: [Compressed Memory Summary]\nThey said something.', MARKED]);
  });

  it('the same words in the same second by both: each has his own', async () => {
    const { memory, open, blocks } = await testConversation();
    const other = await open().agent({ name: 'alice' }).shortMemory;
    await memory.add('User', 'yes');
    await other.add('User', 'yes');
    await memory.compact({ summary: SUMMARY });
    expect(blocks()).toEqual([MARKED, 'User: yes']);
  });

  it('both at once, and both write meanwhile: everything is there once', async () => {
    const { memory, open, blocks, home } = await testConversation();
    const other = await open().agent({ name: 'alice' }).shortMemory;
    const doing: Promise<unknown>[] = [];
    for (let i = 0; i < 10; i++) {
      doing.push(memory.add('User', `a${i}`), other.add('User', `b${i}`));
      if (i % 3 === 2) {
        doing.push(memory.compact({ summary: `A summary by a, number ${i}.` }));
        doing.push(other.compact({ summary: `A summary by b, number ${i}.` }));
      }
    }
    await Promise.all(doing);
    const everywhere = [...blocks()];
    for (const { name } of await memory.archives.list()) {
      everywhere.push(...blocksOf(await memory.archives.read(name)));
    }
    const messages = everywhere.filter((line) => line.startsWith('User: '));
    const expected = ['a', 'b'].flatMap((who) => Array.from({ length: 10 }, (_, i) => `User: ${who}${i}`));
    expect(messages.toSorted()).toEqual(expected.toSorted());
    expect(home).toBeTypeOf('string');
  });

  it('a conversation that began with a part of the file archives the rest of it, not what others added', async () => {
    const { memory, restart, open, blocks } = await testConversation({ history: 'preamble' });
    await talk(memory, 100);
    const again = await restart({ startUpBytes: 2_000 });
    const other = await open().agent({ name: 'alice' }).shortMemory;
    await other.add('User', 'theirs');
    await again.add('User', 'mine');
    const { archive } = await again.compact({ summary: SUMMARY });
    expect(blocks()).toEqual([MARKED, 'User: theirs']);
    expect(blocksOf(await again.archives.read(archive!))).toHaveLength(201);
  });

  it('… also when not one of its messages was short enough to be loaded', async () => {
    const { memory, restart, open, blocks } = await testConversation({ history: 'preamble' });
    await memory.add('User', 'old');
    await memory.add('User', `long ${'z'.repeat(5_000)}`);
    const again = await restart({ startUpBytes: 2_000 });
    const other = await open().agent({ name: 'alice' }).shortMemory;
    await other.add('User', 'theirs');
    await again.add('User', 'mine');
    const { archive } = await again.compact({ summary: SUMMARY });
    expect(blocks()).toEqual([MARKED, 'User: theirs']);
    expect(blocksOf(await again.archives.read(archive!))).toHaveLength(3);
  });

  it('… also when another process compacted in between', async () => {
    const { memory, restart, open, blocks } = await testConversation({ history: 'preamble' });
    await talk(memory, 100);
    const again = await restart({ startUpBytes: 2_000 });
    const other = await open().agent({ name: 'alice' }).shortMemory;
    await other.compact({ summary: 'All of the hundred rounds, by another.' });
    await again.add('User', 'mine');
    await again.compact({ summary: SUMMARY });
    expect(blocks()).toEqual([
      MARKED,
      'System: [Compressed Memory Summary]\nAll of the hundred rounds, by another.',
    ]);
  });

  it('clear and restore archive what others added, too', async () => {
    const { memory, open, blocks } = await testConversation();
    const other = await open().agent({ name: 'alice' }).shortMemory;
    await memory.add('User', 'mine');
    await other.add('User', 'theirs');
    const { archive } = await memory.clear();
    expect(blocks()).toEqual([]);
    expect(blocksOf(await memory.archives.read(archive!))).toEqual(['User: mine', 'User: theirs']);
    await memory.archives.restore(archive!);
    expect(await said(memory)).toEqual(['User: mine', 'User: theirs']);
  });
});

it('other agents notice nothing', async () => {
  const alice = await testConversation({ name: 'alice' });
  const bob = await testConversation({ name: 'bob' }, alice);
  await alice.memory.add('User', 'for alice');
  await bob.memory.add('User', 'for bob');
  await alice.memory.compact({ summary: SUMMARY });
  await alice.memory.clear();
  expect(bob.blocks()).toEqual(['User: for bob']);
  expect(bob.archives()).toEqual([]);
  expect(await said(await bob.restart())).toEqual(['User: for bob']);
});

it('a closed client refuses, and says so', async () => {
  const { memory, open } = await testConversation();
  const client = open();
  const other = await client.agent({ name: 'bob' }).shortMemory;
  await client.close();
  await expect(other.add('User', 'too late')).rejects.toMatchObject({ code: 'CLOSED' });
  await memory.add('User', 'still open');
});

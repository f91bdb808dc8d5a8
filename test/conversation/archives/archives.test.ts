/** The raw transcripts that compactions save: listed, read, searched, compared, brought back. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf, errorOf, said, talk, testConversation } from '../fixture.ts';

async function withTwoArchives() {
  const conversation = await testConversation();
  const { memory, clock } = conversation;
  await memory.add('User', 'I like green tea.');
  await memory.add('assistant', [{ type: 'text', text: 'Noted.' }]);
  clock.advance(60_000);
  await memory.compact({ summary: 'The user likes green tea.' });
  await memory.add('User', 'And I like Rome.');
  clock.advance(60_000);
  await memory.compact({ summary: 'The user likes green tea and Rome.' });
  const names = (await memory.archives.list()).map(({ name }) => name);
  return { ...conversation, first: names[0]!, second: names[1]! };
}

describe('reading', () => {
  it('list: oldest first, with how much is in each', async () => {
    const { memory } = await withTwoArchives();
    expect(await memory.archives.list()).toMatchObject([
      {
        name: 'history_2026-03-01_12-01-00.md',
        messages: 2,
        firstAt: Date.parse('2026-03-01T12:00:00Z'),
        lastAt: Date.parse('2026-03-01T12:00:00Z'),
      },
      { name: 'history_2026-03-01_12-02-00.md', messages: 2 },
    ]);
  });

  it('messages and search', async () => {
    const { memory, first, second } = await withTwoArchives();
    expect((await memory.archives.messages(first)).map(({ role, content }) => [role, content])).toEqual([
      ['User', 'I like green tea.'],
      ['alice', 'Noted.'],
    ]);
    expect((await memory.archives.search('GREEN tea')).map(({ archive }) => archive)).toEqual([
      first,
      second,
    ]);
    expect((await memory.archives.search('rome')).map(({ archive }) => archive)).toEqual([second]);
  });

  it('diff: lines of one and of the other', async () => {
    const { memory, first, second } = await withTwoArchives();
    const lines = await memory.archives.diff(first, second);
    expect(lines).toContain('- I like green tea.');
    expect(lines).toContain('+ And I like Rome.');
    expect(lines.some((line) => line.includes('# Agent Memory'))).toBe(false);
    expect(await memory.archives.diff(first, first)).toEqual([]);
  });

  it.each(['../MEMORY.md', 'MEMORY.md', '/etc/passwd', 'history_x.md', 'history_2026-01-01_00-00-00.md/..'])(
    'the name %j is refused',
    async (name) => {
      const { memory } = await testConversation();
      expect((await errorOf(memory.archives.read(name))).code).toBe('INVALID_INPUT');
      expect((await errorOf(memory.archives.restore(name))).code).toBe('INVALID_INPUT');
    },
  );

  it('an archive that is not there: NOT_FOUND', async () => {
    const { memory } = await testConversation();
    const error = await errorOf(memory.archives.read('history_2026-01-01_00-00-00.md'));
    expect(error.code).toBe('NOT_FOUND');
  });

  it('other files in the folder are left alone and not listed', async () => {
    const { memory, home } = await withTwoArchives();
    writeFileSync(join(home, 'archive', 'my notes.md'), 'mine');
    writeFileSync(join(home, 'archive', '.history_2026-01-01_00-00-00.md.swp'), 'mine');
    expect(await memory.archives.list()).toHaveLength(2);
  });
});

describe('restore', () => {
  it('puts an archive back exactly, after what is there now was archived', async () => {
    const { memory, text, blocks, archives, restart, first } = await withTwoArchives();
    const wanted = await memory.archives.read(first);
    const before = text();
    const { archive } = await memory.archives.restore(first);
    expect(text()).toBe(wanted);
    expect(archives()).toHaveLength(3);
    expect(await memory.archives.read(archive!)).toBe(before);
    expect(await said(memory)).toEqual(['User: I like green tea.', 'alice: [object Object]']);
    await memory.add('User', 'Back again.');
    expect(blocks()).toHaveLength(3);
    expect(await said(await restart())).toHaveLength(3);
  });

  it('with what the log knows of its messages: ids, runs and structured parts', async () => {
    const { memory, first } = await withTwoArchives();
    await talk(memory, 100);
    await memory.archives.restore(first);
    const turns = await memory.turns();
    expect(turns[1]!.content).toEqual([{ type: 'text', text: 'Noted.' }]);
    expect(turns.map(({ run }) => run)).toEqual([memory.run, memory.run]);
  });

  it('into an empty conversation leaves no empty archive', async () => {
    const { memory, archives, first } = await withTwoArchives();
    await memory.clear();
    const before = archives().length;
    expect(await memory.archives.restore(first)).toEqual({ archive: null });
    expect(archives()).toHaveLength(before);
  });

  it('of what is there already changes nothing', async () => {
    const { memory, text, archives, first } = await withTwoArchives();
    await memory.archives.restore(first);
    const before = [text(), archives()];
    await memory.archives.restore(first);
    expect([text(), archives()]).toEqual(before);
  });

  it('is refused where there is no MEMORY.md', async () => {
    const { restart, first } = await withTwoArchives();
    const off = await restart({ persistentMemory: false });
    expect((await errorOf(off.archives.restore(first))).code).toBe('READ_ONLY');
  });
});

describe('names', () => {
  it('many compactions within one second: an archive each, none overwritten, in their order', async () => {
    const { memory, archives } = await testConversation();
    for (let i = 1; i <= 12; i++) {
      await memory.add('User', `message ${i}`);
      await memory.compact({ summary: `There were ${i} messages.` });
    }
    expect(archives()).toHaveLength(12);
    const listed = await memory.archives.list();
    expect(listed[0]!.name).toBe('history_2026-03-01_12-00-00.md');
    expect(listed[11]!.name).toBe('history_2026-03-01_12-00-00_12.md');
    for (const [i, { name }] of listed.entries()) {
      expect(blocksOf(await memory.archives.read(name)).at(-1)).toBe(`User: message ${i + 1}`);
    }
  });

  it('a clock that steps back does not overwrite either', async () => {
    const { memory, clock, archives } = await testConversation();
    await memory.add('User', 'one');
    await memory.compact({ summary: 'One message so far.' });
    clock.advance(-60_000);
    await memory.compact({ summary: 'Still one message.' });
    clock.advance(60_000);
    await memory.compact({ summary: 'One message, as before.' });
    expect(archives()).toHaveLength(3);
  });
});

describe('links', () => {
  it('a MEMORY.md that is a link out of the workspace is refused, and what it leads to is not touched', async () => {
    const { folder, open } = await testConversation({ persistentMemory: false });
    const outside = join(folder, '..', `${folder.split('/').at(-1)}-outside.md`);
    writeFileSync(outside, 'precious');
    mkdirSync(join(folder, 'agents', 'linked'), { recursive: true });
    symlinkSync(outside, join(folder, 'agents', 'linked', 'MEMORY.md'));
    const error = await errorOf(open().agent({ name: 'linked' }).shortMemory);
    expect(error.code).toBe('FORBIDDEN');
    expect(existsSync(outside)).toBe(true);
  });

  it('an archive folder that is a link out of the workspace is refused, and nothing is wiped', async () => {
    const { memory, folder, home, blocks } = await testConversation();
    await memory.add('User', 'precious');
    const outside = join(folder, '..', `${folder.split('/').at(-1)}-outside`);
    mkdirSync(outside);
    symlinkSync(outside, join(home, 'archive'));
    expect((await errorOf(memory.compact({ summary: 'Something precious was said.' }))).code).toBe(
      'FORBIDDEN',
    );
    expect(blocks()).toEqual(['User: precious']);
    expect(await said(memory)).toEqual(['User: precious']);
    await memory.add('User', 'and more');
    expect(blocks()).toEqual(['User: precious', 'User: and more']);
  });
});

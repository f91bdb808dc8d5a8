/** People edit MEMORY.md while it is in use: what they made of it wins, nothing is silently lost, the next add works. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type AgentOptions, ContextCompressor } from '../../../src/index.ts';
import { scriptedModel } from '../compaction/scripted-model.ts';
import { said, type TestConversation, talk, testConversation } from '../fixture.ts';

interface Edit {
  readonly what: string;
  readonly edit: (text: string) => string;
  readonly expected: readonly string[];
}

/** Before: question 1, answer 1, question 2, answer 2. */
const EDITS: readonly Edit[] = [
  {
    what: 'an old block is changed',
    edit: (text) => text.replace('question 1', 'QUESTION ONE'),
    expected: ['User: QUESTION ONE', 'alice: answer 1', 'User: question 2', 'alice: answer 2'],
  },
  {
    what: 'the last block is changed',
    edit: (text) => text.replace('answer 2', 'ANSWER TWO\nand more'),
    expected: ['User: question 1', 'alice: answer 1', 'User: question 2', 'alice: ANSWER TWO\nand more'],
  },
  {
    what: 'the last block is made shorter',
    edit: (text) => text.replace('answer 2', 'a'),
    expected: ['User: question 1', 'alice: answer 1', 'User: question 2', 'alice: a'],
  },
  {
    what: 'a block is deleted',
    edit: (text) => text.replace(/### alice - [^#]*?answer 1\n\n---\n\n/, ''),
    expected: ['User: question 1', 'User: question 2', 'alice: answer 2'],
  },
  {
    what: 'the last block is deleted',
    edit: (text) => text.slice(0, text.lastIndexOf('### ')),
    expected: ['User: question 1', 'alice: answer 1', 'User: question 2'],
  },
  {
    what: 'the end of the last block is cut off',
    edit: (text) => text.slice(0, text.indexOf('answer 2') + 4),
    expected: ['User: question 1', 'alice: answer 1', 'User: question 2', 'alice: answ'],
  },
  {
    what: 'text is added between two blocks',
    edit: (text) =>
      text
        .replace('### User', 'A note by hand.\n\n### User')
        .replace('question 1\n\n---\n\n', '$&By hand.\n\n'),
    expected: [
      'User: question 1\n\n---\n\nBy hand.\n',
      'alice: answer 1',
      'User: question 2',
      'alice: answer 2',
    ],
  },
  {
    what: 'a block is added at the end',
    edit: (text) => `${text}### User - 2026-03-01T13:00:00\nwritten by hand`,
    expected: [
      'User: question 1',
      'alice: answer 1',
      'User: question 2',
      'alice: answer 2',
      'User: written by hand',
    ],
  },
  {
    what: 'an editor saves a stale copy, without the last two',
    edit: (text) => text.slice(0, text.lastIndexOf('### User')),
    expected: ['User: question 1', 'alice: answer 1'],
  },
  { what: 'everything is deleted', edit: () => '', expected: [] },
  { what: 'something else is put in its place', edit: () => 'Just some notes.\n', expected: [] },
];

describe('A-19 text above the first block', () => {
  const NOTE = 'Always answer in French.\n\n- The budget is $1,200.';
  const SUMMARY = 'They talked about many questions, and each of them got an answer that was fine.';
  const withNote = (text: string) => text.replace('## Interaction Log\n', `## Interaction Log\n\n${NOTE}\n`);

  it('outlives every compaction, in the file, in the prompt and after a restart', async () => {
    const { memory, file, text, blocks, restart } = await testConversation();
    await talk(memory, 3);
    writeFileSync(file, withNote(text()));
    for (const summary of [`${SUMMARY} One.`, `${SUMMARY} Two.`]) {
      await memory.compact({ summary });
      expect(text()).toContain(`## Interaction Log\n\n${NOTE}\n\n### System`);
      expect(blocks()).toEqual([`System: [Compressed Memory Summary]\n${summary}`]);
      expect(await memory.returnHistoryAsString()).toContain(NOTE);
      await memory.add('User', 'Go on.');
      await memory.add('assistant', 'I do.');
    }
    const again = await restart();
    expect(await again.returnHistoryAsString()).toContain(NOTE);
    await again.compact({ summary: SUMMARY });
    expect(text().split(NOTE)).toHaveLength(2);
  });

  it('is not summarised', async () => {
    const { memory, file, text, restart } = await testConversation();
    await talk(memory, 20);
    writeFileSync(file, withNote(text()));
    const again = await restart();
    const summarizer = scriptedModel(SUMMARY);
    const compressor = new ContextCompressor({ contextLength: 100, summarizer });
    expect(await compressor.compressIfNeeded(again)).toMatchObject({ compressed: true });
    expect(summarizer.requests[0]!.prompt).toContain('question 1');
    expect(summarizer.requests.map(({ prompt }) => prompt).join()).not.toContain('Always answer in French.');
    expect(text()).toContain(NOTE);
  });
});

describe('what a person takes out of the file while the agent is open', () => {
  const SUMMARY = 'They talked about many questions, and each of them got an answer that was fine.';
  const without = (text: string, said: string) =>
    text.replace(new RegExp(`### \\w+ - [^\\n]*\\n${said}\\n\\n---\\n\\n`), '');

  it.each<[string, Partial<AgentOptions>]>([
    ['a turn of this run', {}],
    ['a turn that was replayed', { history: 'high' }],
    ['a block of the preamble', { history: 'preamble' }],
  ])('is sent neither to the model nor to the summariser: %s', async (what, settings) => {
    const first = await testConversation(settings);
    const { file, text } = first;
    await first.memory.add('User', 'My password is swordfish.');
    await talk(first.memory, 10);
    const memory = what === 'a turn of this run' ? first.memory : await first.restart();
    expect(await memory.returnHistoryAsString()).toContain('swordfish');
    const edited = without(text(), 'My password is swordfish.').replace('question 3', 'QUESTION THREE');
    expect(edited).not.toContain('swordfish');
    writeFileSync(file, edited);
    expect(await memory.returnHistoryAsString()).not.toContain('swordfish');
    expect(await memory.returnHistoryAsString()).toContain('QUESTION THREE');
    expect(await memory.returnHistoryAsString()).not.toContain('question 3');
    await memory.add('User', 'Go on.');
    await memory.add('assistant', 'I do.');
    const summarizer = scriptedModel(SUMMARY);
    const compressor = new ContextCompressor({ contextLength: 50, summarizer });
    expect(await compressor.compressIfNeeded(memory)).toMatchObject({ compressed: true });
    const asked = summarizer.requests.map(({ prompt }) => prompt).join();
    expect(asked).not.toContain('swordfish');
    expect(asked).toContain('QUESTION THREE');
    expect(text()).not.toContain('swordfish');
  });

  it('all of it', async () => {
    const { memory, file } = await testConversation();
    await talk(memory, 3);
    rmSync(file);
    expect(await memory.turns()).toEqual([]);
    await memory.add('User', 'Hello again.');
    expect(await said(memory)).toEqual(['User: Hello again.']);
  });

  it('an editor that empties the file before it writes it deletes nothing', async () => {
    const { memory, file, text } = await testConversation();
    await talk(memory, 3);
    const before = text();
    writeFileSync(file, '');
    const turns = memory.turns();
    setTimeout(() => writeFileSync(file, `${before}\n`), 10);
    expect(await turns).toHaveLength(6);
  });
});

const WAYS = {
  'saved in place': (file: string, text: string) => writeFileSync(file, text),
  'saved by a rename': (file: string, text: string) => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  },
};

async function afterTwoRounds(): Promise<TestConversation> {
  const conversation = await testConversation();
  await talk(conversation.memory, 2);
  return conversation;
}

const LOGGED = ['question 1', 'answer 1', 'question 2', 'answer 2'];

async function logOf({ open }: TestConversation): Promise<unknown[]> {
  const { storage } = await open().open();
  return (await storage.log.read({ agent: 'alice', limit: 100 })).map(({ content }) => content);
}

describe.each(Object.entries(WAYS))('%s', (_way, save) => {
  it.each(EDITS)('$what: while it is in use', async ({ edit, expected }) => {
    const conversation = await afterTwoRounds();
    const { memory, file, text, blocks, restart } = conversation;
    save(file, edit(text()));
    await memory.add('User', 'and now?');
    expect(blocks()).toEqual([...expected, 'User: and now?']);
    const again = await restart();
    for (const line of expected) {
      expect(await again.returnHistoryAsString()).toContain(line.slice(line.indexOf(': ') + 2).trim());
    }
    // What they took out is still in the log.
    expect(await logOf(conversation)).toEqual([...LOGGED, 'and now?']);
  });

  it.each(EDITS)('$what: while nobody uses it', async ({ edit, expected }) => {
    const conversation = await afterTwoRounds();
    const { memory, file, text, blocks, restart } = conversation;
    await memory.close();
    save(file, edit(text()));
    const edited = text();
    const again = await restart();
    expect(text()).toBe(edited);
    const turns = (await said(again)).map((line) => line.trimEnd());
    expect(turns).toEqual(expected.map((line) => line.trimEnd()));
    await again.add('User', 'and now?');
    expect(blocks()).toEqual([...expected, 'User: and now?']);
    expect(await logOf(conversation)).toEqual([...LOGGED, 'and now?']);
  });
});

describe('and then a compaction', () => {
  it('what a person wrote or changed is not covered by the summary, so it stays', async () => {
    const { memory, file, text, blocks, archives } = await afterTwoRounds();
    writeFileSync(
      file,
      `${text().replace('answer 1', 'answer 1, corrected')}### User - 2026-03-01T13:00:00\nby hand\n\n---\n\n`,
    );
    await memory.compact({ summary: 'Two questions were asked and answered.' });
    expect(blocks()).toEqual([
      'System: [Compressed Memory Summary]\nTwo questions were asked and answered.',
      'alice: answer 1, corrected',
      'User: by hand',
    ]);
    expect(archives()).toHaveLength(1);
  });

  it('what a person deleted does not come back, and everything else is archived', async () => {
    const { memory, file, text, blocks } = await afterTwoRounds();
    writeFileSync(file, text().replace(/### alice - [^#]*?answer 2\n\n---\n\n/, ''));
    const { archive } = await memory.compact({ summary: 'Two questions were asked and one answered.' });
    expect(blocks()).toHaveLength(1);
    expect(await memory.archives.read(archive!)).not.toContain('answer 2');
    expect(await memory.archives.read(archive!)).toContain('question 2');
  });

  it('a file that was deleted altogether', async () => {
    const { memory, file, blocks } = await afterTwoRounds();
    rmSync(file);
    await memory.compact({ summary: 'Two questions were asked and answered.' });
    expect(blocks()).toEqual(['System: [Compressed Memory Summary]\nTwo questions were asked and answered.']);
  });
});

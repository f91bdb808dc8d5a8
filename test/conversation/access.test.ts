/** What code can ask of a conversation: lists, texts, searches, exports and loads. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentOptions } from '../../src/index.ts';
import { testWorkspace } from '../fixtures/workspace.ts';
import { blocksOf, errorOf, said, talk, testConversation } from './fixture.ts';

describe('reading', () => {
  it('A-56 toDict: a plain list with roles, contents and ISO times', async () => {
    const { memory, clock } = await testConversation({ systemPrompt: 'You are kind.' });
    clock.set('2026-04-20T18:35:04.123Z');
    const { id } = await memory.add('User', 'hello');
    expect(await memory.toDict()).toEqual([
      {
        id: 'static_system',
        role: 'System',
        content: 'You are kind.',
        timestamp: '2026-04-20T18:35:04.123Z',
      },
      { id, role: 'User', content: 'hello', timestamp: '2026-04-20T18:35:04.123Z' },
    ]);
  });

  it('A-57 getFinalMessageContent: what was said last', async () => {
    const { memory } = await testConversation({ systemPrompt: 'You are kind.' });
    expect(await memory.getFinalMessageContent()).toBe('');
    await talk(memory, 3);
    expect(await memory.getFinalMessageContent()).toBe('answer 3');
  });

  it('C-05 toMessages: as the API of a model wants them', async () => {
    const { memory } = await testConversation({ systemPrompt: 'You are kind.', rules: 'Be brief.' });
    await memory.add('User', 'hello');
    await memory.add('assistant', [{ type: 'tool-call', toolCallId: 'c', toolName: 't', input: {} }]);
    await memory.add('tool', [{ type: 'tool-result', toolCallId: 'c', toolName: 't', output: 1 }]);
    await memory.add('alice', 'done');
    await memory.add('bob', 'I am another agent.');
    expect((await memory.toMessages()).map(({ role }) => role)).toEqual([
      'system',
      'user',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
  });

  it('A-61 search: messages with all words, with their places', async () => {
    const { memory } = await testConversation();
    await memory.add('User', 'Narrow the recommendation to GCP, please.');
    await memory.add('assistant', 'BigQuery runs on gcp.');
    await memory.add('User', 'Nothing of the kind.');
    expect((await memory.search('GCP')).map(({ index }) => index)).toEqual([0, 1]);
    expect((await memory.search('gcp bigquery')).map(({ index }) => index)).toEqual([1]);
    expect(await memory.search('azure')).toEqual([]);
  });

  it('A-62 searchKeyword: whatever its case, in any script', async () => {
    const { memory } = await testConversation();
    await memory.add('User', 'Low LATENCY matters.');
    await memory.add('User', 'Die STRASSE ist lang.');
    const found = await memory.searchKeyword('latency');
    expect(found.map(({ message }) => message.content)).toEqual(['Low LATENCY matters.']);
    expect(found[0]!.hits).toEqual([{ start: 4, end: 11 }]);
    expect(await memory.searchKeyword('straße')).toHaveLength(1);
  });

  it('C-21 D-08 moreContext pages back through everything that was said, from where the history begins', async () => {
    const { memory, restart } = await testConversation();
    await talk(memory, 30);
    const again = await restart();
    expect(await again.turns()).toHaveLength(10);
    const first = await again.moreContext({ limit: 20 });
    expect(first.more).toBe(true);
    expect(first.messages.map(({ content }) => content).slice(-2)).toEqual(['question 25', 'answer 25']);
    expect(first.messages).toHaveLength(20);
    const second = await again.moreContext({ limit: 50, before: first.messages[0]!.id });
    expect(second.more).toBe(false);
    expect(second.messages[0]!.content).toBe('question 1');
    expect(second.messages).toHaveLength(30);
  });

  it('C-21 moreContext finds by what was said', async () => {
    const { memory, restart } = await testConversation();
    await memory.add('User', 'My cat is called Schrödinger.');
    await talk(memory, 30);
    const again = await restart();
    const { messages } = await again.moreContext({ query: 'what is the name of the cat', limit: 1 });
    expect(messages.map(({ content }) => content)).toEqual(['My cat is called Schrödinger.']);
  });

  it.each([0, -1, 501, 1.5])('moreContext refuses the limit %s', async (limit) => {
    const { memory } = await testConversation();
    expect((await errorOf(memory.moreContext({ limit }))).code).toBe('INVALID_INPUT');
  });

  it('moreContext does not lead into the conversation of another agent', async () => {
    const workspace = testWorkspace();
    const alice = await testConversation({ name: 'alice' }, workspace);
    const bob = await testConversation({ name: 'bob' }, workspace);
    const secret = await bob.memory.add('User', 'for bob only');
    expect((await errorOf(alice.memory.moreContext({ before: secret.id }))).code).toBe('NOT_FOUND');
    expect((await alice.memory.moreContext({ query: 'for bob only' })).messages).toEqual([]);
    expect((await errorOf(alice.memory.delete(secret.id))).code).toBe('NOT_FOUND');
    expect(bob.blocks()).toEqual(['User: for bob only']);
  });
});

describe('exports', () => {
  it('A-59 export, saveAsJson and saveAsYaml write files, and force overwrites them', async () => {
    const { memory, home } = await testConversation();
    await talk(memory, 2);
    const json = await memory.export();
    expect(json).toBe(join(home, 'exports', `conversation_alice-${memory.run}.json`));
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ agent: 'alice', version: 1 });
    expect((await errorOf(memory.export())).code).toBe('CONFLICT');
    expect(await memory.export({ force: true })).toBe(json);
    expect(await memory.saveAsJson({ force: true })).toBe(json);
    const yaml = await memory.saveAsYaml({ force: true });
    expect(yaml.endsWith('.yaml')).toBe(true);
    expect(readFileSync(yaml, 'utf8')).toContain('question 1');
    expect(() => JSON.parse(readFileSync(yaml, 'utf8'))).toThrow();
  });

  it.each<[string, Partial<AgentOptions>]>([
    ['with MEMORY.md', {}],
    ['from the log alone', { persistentMemory: false, history: 'low' }],
    ['from MEMORY.md alone', { history: 'preamble' }],
  ])('A-59 after a restart an export has all of it, not only the window: %s', async (_, settings) => {
    const { memory, restart } = await testConversation(settings);
    await memory.add('User', 'Long ago.');
    await memory.compact({ summary: 'Long ago something was said that is summarised here.' });
    await talk(memory, 20);
    const again = await restart();
    await again.add('User', 'One more.');
    const { messages } = JSON.parse(readFileSync(await again.saveAsJson(), 'utf8'));
    const texts = messages.map(({ content }: { content: string }) => content);
    expect(texts).toHaveLength(42);
    expect(texts[0]).toContain('[Compressed Memory Summary]');
    expect(texts.slice(1, 3)).toEqual(['question 1', 'answer 1']);
    expect(texts.slice(-2)).toEqual(['answer 20', 'One more.']);
  });

  it('A-59 what was loaded from an export is exported as it was loaded', async () => {
    const there = await testConversation();
    await talk(there.memory, 2);
    const path = await there.memory.export();
    const { memory } = await testConversation({ name: 'bob' });
    await memory.add('User', 'Something else.');
    await memory.load(path);
    const { messages } = JSON.parse(readFileSync(await memory.export(), 'utf8'));
    expect(messages).toHaveLength(4);
  });

  it.each(['json', 'yaml', 'jsonl', 'markdown'] as const)(
    'A-60 a %s export is loaded again',
    async (format) => {
      const { memory, open } = await testConversation();
      await memory.add('User', 'Look it up.');
      await memory.add('assistant', [
        { type: 'tool-call', toolCallId: 'c', toolName: 't', input: { a: [1] } },
      ]);
      await memory.add('tool', [{ type: 'tool-result', toolCallId: 'c', toolName: 't', output: null }]);
      await memory.add('assistant', 'Done.', { metadata: { mood: 'good' } });
      const path = await memory.export({ format });
      const other = await open().agent({ name: 'other', persistentMemory: false }).shortMemory;
      expect(await other.load(path)).toBe(4);
      const plain = ({ content, at, id }: { content: unknown; at: number; id: string }) => [id, content, at];
      expect((await other.turns()).map(plain)).toEqual((await memory.turns()).map(plain));
    },
  );

  it('A-60 by its bare name it is found among the exports of the agent', async () => {
    const { memory } = await testConversation();
    await talk(memory, 1);
    await memory.export();
    await memory.clear();
    expect(await memory.load(`conversation_alice-${memory.run}.json`)).toBe(2);
    expect(await said(memory)).toEqual(['User: question 1', 'alice: answer 1']);
  });

  it('A-60 YAML under the name of JSON, as the original system writes it', async () => {
    const { memory, folder } = await testConversation();
    const path = join(folder, 'conversation_agent-123.json');
    writeFileSync(
      path,
      '- role: user\n  content: hello\n- role: assistant\n  content: |-\n    two\n    lines\n',
    );
    expect(await memory.load(path)).toBe(2);
    expect(await said(memory)).toEqual(['User: hello', 'alice: two\nlines']);
  });

  describe('A-60 the export of another agent', () => {
    const CALL = { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: {} };
    const RESULT = { type: 'tool-result', toolCallId: 'c1', toolName: 'look', output: 'sunny' };

    async function exported(format: 'json' | 'yaml' | 'jsonl' | 'markdown') {
      const there = await testConversation();
      await there.memory.add('User', 'What is the weather?');
      await there.memory.add('assistant', [CALL]);
      await there.memory.add('tool', [RESULT]);
      await there.memory.add('assistant', 'It is sunny.');
      return there.memory.export({ format, path: join(there.folder, `alice.${format}`) });
    }

    it.each(['json', 'yaml', 'jsonl', 'markdown'] as const)(
      '%s: its answers stay answers',
      async (format) => {
        const path = await exported(format);
        for (const persist of [false, true]) {
          const { memory } = await testConversation({ name: 'bob' });
          await memory.load(path, { persist });
          const roles = (await memory.toMessages()).map(({ role }) => role);
          expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant']);
          expect((await memory.turns()).map(({ role }) => role)).toEqual(['User', 'bob', 'Tool', 'bob']);
        }
      },
    );

    it.each([
      ['its MEMORY.md', 'MEMORY.md', undefined],
      [
        'a list with its name as role',
        'list.json',
        '[{"role":"User","content":"Hi"},{"role":"alice","content":"Hello"}]',
      ],
      [
        'a list that names it',
        'named.json',
        '{"agent_name":"alice","messages":[{"role":"user","content":"Hi"},{"role":"alice","content":"Hello"}]}',
      ],
      [
        'a list without a name',
        'plain.json',
        '[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"}]',
      ],
    ])('%s', async (_, name, text) => {
      const there = await testConversation();
      await there.memory.add('User', 'Hi');
      await there.memory.add('assistant', 'Hello');
      const path = join(there.folder, name);
      writeFileSync(path, text ?? there.text());
      const { memory } = await testConversation({ name: 'bob' });
      await memory.load(path);
      expect(await said(memory)).toEqual(['User: Hi', 'bob: Hello']);
    });
  });

  it('loading is for this run; with persist it is written as new messages with their old times', async () => {
    const { memory, blocks, text, restart, clock } = await testConversation();
    await memory.add('User', 'said on the first of March');
    const path = await memory.export();
    await memory.clear();
    clock.set('2026-05-01T00:00:00Z');
    await memory.load(path);
    expect(blocks()).toEqual([]);
    expect(await said(memory)).toEqual(['User: said on the first of March']);
    await memory.clear();
    await memory.load(path, { persist: true });
    expect(blocks()).toEqual(['User: said on the first of March']);
    expect(text()).toContain('### User - 2026-03-01T12:00:00');
    expect(await said(await restart())).toEqual(['User: said on the first of March']);
  });

  it('messages from another workspace have no place in this log, and can be changed all the same', async () => {
    const there = await testConversation();
    await talk(there.memory, 5);
    const path = await there.memory.export({ path: join(there.folder, 'elsewhere.json') });
    const here = await testConversation();
    await here.memory.add('User', 'said here');
    await here.memory.load(path);
    const [first] = await here.memory.turns();
    expect(first!.seq).toBeUndefined();
    await here.memory.update(first!.id, 'changed');
    expect((await said(here.memory))[0]).toBe('User: changed');
    await here.memory.delete(first!.id);
    await here.memory.compact({ summary: 'Five questions were asked there.' });
    expect(here.blocks()).toHaveLength(1);
    const [archive] = await here.memory.archives.list();
    expect(blocksOf(await here.memory.archives.read(archive!.name))).toEqual(['User: said here']);
  });

  it('a file that is not there, and one that is no conversation: a clear error, the history stays', async () => {
    const { memory, folder } = await testConversation();
    await memory.add('User', 'hello');
    expect((await errorOf(memory.load('nothing.json'))).code).toBe('NOT_FOUND');
    writeFileSync(join(folder, 'junk.json'), '{"a": 1}');
    expect((await errorOf(memory.load(join(folder, 'junk.json')))).code).toBe('INVALID_INPUT');
    expect(await said(memory)).toEqual(['User: hello']);
  });

  it('an exports folder that is a link out of the workspace is not followed', async () => {
    const { memory, home, folder } = await testConversation();
    const outside = join(folder, '..', `${folder.split('/').at(-1)}-outside`);
    mkdirSync(outside);
    symlinkSync(outside, join(home, 'exports'));
    expect((await errorOf(memory.export())).code).toBe('FORBIDDEN');
    expect(existsSync(join(outside, `conversation_alice-${memory.run}.json`))).toBe(false);
    // Whoever names a path means it.
    expect(existsSync(await memory.export({ path: join(outside, 'mine.json') }))).toBe(true);
  });
});

/** Messages: appended once, in order, and found by place or by word. */
import type { LogQuery } from '../../ports/log-store.ts';
import { messageDraft, START } from './drafts.ts';
import { failure, type StoreOf, type Themes } from './suite.ts';

const appending: Themes<StoreOf<'log'>>[string] = {
  'gives back every field, and a number that grows': async ({ store: { log }, expect }) => {
    const drafts = [
      messageDraft({ content: 'text \u0000 👋', metadata: { a: [1, null] }, run: 'run_1' }),
      messageDraft({
        role: 'tool',
        content: [{ type: 'text', text: 'part' }, 7, null, { deep: { er: true } }],
      }),
    ];
    const written = await log.append(drafts);
    expect(written.map(({ seq: _, ...message }) => message)).toEqual(
      drafts.map(({ text: _, ...draft }) => ({ ...draft, editedAt: null, deletedAt: null })),
    );
    expect(written[1]!.seq).toBeGreaterThan(written[0]!.seq);
    expect(await log.read({ limit: 10 })).toEqual(written);
    expect(await log.get(drafts[1]!.id)).toEqual(written[1]);
    expect(await log.get('msg_none')).toBe(null);
  },

  'leaves a message alone whose id is there already': async ({ store: { log }, expect }) => {
    const [first] = await log.append([messageDraft({ content: 'the first' })]);
    const repeated = messageDraft({ id: first!.id, content: 'the second', text: 'the second' });
    const [again, next] = await log.append([repeated, messageDraft()]);
    expect(again).toEqual(first);
    expect(await log.read({ limit: 10 })).toEqual([first, next]);
    expect(await log.search({ terms: ['second'], limit: 10 })).toEqual([]);
  },

  'takes an empty call': async ({ store: { log }, expect }) => {
    expect(await log.append([])).toEqual([]);
    expect(await log.count({})).toBe(0);
  },

  'keeps the order of each writer, and repeats no number, over two handles': async ({
    store,
    again,
    expect,
  }) => {
    const other = await again();
    const writers = [store, other].map(({ log }, writer) =>
      Promise.all(
        Array.from({ length: 15 }, (_, i) =>
          log.append([messageDraft({ agent: `agent-${writer}`, content: i, at: START + i })]),
        ),
      ),
    );
    await Promise.all(writers);
    const all = await store.log.read({ limit: 100 });
    expect(new Set(all.map((message) => message.seq)).size).toBe(30);
    for (const agent of ['agent-0', 'agent-1']) {
      const own = await other.log.read({ agent, limit: 100 });
      expect(own.map((message) => message.content)).toEqual(Array.from({ length: 15 }, (_, i) => i));
    }
  },
};

const reading: Themes<StoreOf<'log'>>[string] = {
  'filters, pages and counts': async ({ store: { log }, expect }) => {
    const numbered = await log.append(
      Array.from({ length: 12 }, (_, i) =>
        messageDraft({
          agent: i % 2 ? 'odd' : 'even',
          thread: i < 6 ? 'first' : 'second',
          run: i % 3 === 0 ? 'run_1' : null,
          content: i,
        }),
      ),
    );
    const read = async (query: Partial<LogQuery>) =>
      (await log.read({ limit: 100, ...query })).map((message) => message.content);
    const seq = (i: number) => numbered[i]!.seq;
    expect(await read({ agent: 'odd', thread: 'first' })).toEqual([1, 3, 5]);
    expect(await read({ run: 'run_1' })).toEqual([0, 3, 6, 9]);
    expect(await read({ agent: 'none' })).toEqual([]);
    expect(await read({ after: seq(9) })).toEqual([10, 11]);
    expect(await read({ before: seq(2) })).toEqual([0, 1]);
    expect(await read({ after: seq(2), before: seq(5) })).toEqual([3, 4]);
    expect(await read({ limit: 3 })).toEqual([0, 1, 2]);
    expect(await read({ limit: 3, newest: true })).toEqual([9, 10, 11]);
    expect(await read({ limit: 2, newest: true, before: seq(5) })).toEqual([3, 4]);
    expect(await read({ limit: 2, newest: true, after: seq(8), agent: 'odd' })).toEqual([9, 11]);
    expect(await log.count({})).toBe(12);
    expect(await log.count({ agent: 'even', thread: 'second' })).toBe(3);
    expect(await log.count({ run: 'run_1' })).toBe(4);
  },

  'knows the threads': async ({ store: { log }, expect }) => {
    await log.append([
      messageDraft({ agent: 'b', thread: 't', at: START + 5 }),
      messageDraft({ agent: 'a', thread: 't', at: START + 1 }),
      messageDraft({ agent: 'b', thread: 't', at: START + 9 }),
    ]);
    expect(await log.threads()).toEqual([
      { agent: 'a', thread: 't', messages: 1, lastAt: START + 1 },
      { agent: 'b', thread: 't', messages: 2, lastAt: START + 9 },
    ]);
  },

  'takes names as values, whatever they look like': async ({ store: { log }, expect }) => {
    const agent = "x' OR '1'='1";
    await log.append([messageDraft({ agent: 'alice' }), messageDraft({ agent })]);
    expect((await log.read({ agent, limit: 10 })).map((message) => message.agent)).toEqual([agent]);
  },

  'searches by word, within a thread and before a point': async ({ store: { log }, expect }) => {
    const texts = ['wombat', 'numbat', 'wombat and numbat', 'nothing'];
    const written = await log.append(
      texts.map((text, i) => messageDraft({ agent: i === 0 ? 'bob' : 'alice', content: text, text })),
    );
    const search = async (query: Partial<Parameters<typeof log.search>[0]>) =>
      (await log.search({ terms: ['wombat', 'numbat'], limit: 10, ...query })).map((m) => m.content);
    expect((await search({}))[0]).toBe('wombat and numbat');
    expect((await search({})).length).toBe(3);
    expect(await search({ agent: 'bob' })).toEqual(['wombat']);
    expect(await search({ agent: 'alice', before: written[2]!.seq })).toEqual(['numbat']);
    expect((await search({ limit: 1 })).length).toBe(1);
    expect(await search({ terms: [] })).toEqual([]);
    expect(await search({ terms: ['"', 'NEAR('] })).toEqual([]);
  },

  'is refused with CLOSED after closing': async ({ store, expect }) => {
    await store.close();
    for (const call of [
      () => store.log.append([messageDraft()]),
      () => store.log.retract(['msg_none']),
      () => store.log.edit([]),
      () => store.log.read({ limit: 1 }),
      () => store.log.get('msg_none'),
      () => store.log.search({ terms: ['x'], limit: 1 }),
      () => store.log.count({}),
      () => store.log.boundary('alice', 'alice'),
      () => store.log.journal('key'),
      () => store.log.threads(),
    ]) {
      expect((await failure(call())).code).toBe('CLOSED');
    }
  },
};

export const logMessages: Themes<StoreOf<'log'>> = { appending, reading };

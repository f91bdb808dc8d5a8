/** Listing and searching: filters, pages, and terms that are never syntax. */
import { defined } from '../../kernel/defined.ts';
import type { Viewer } from '../../kernel/scope.ts';
import type { RecordDraft, RecordFilter } from '../../ports/record-store.ts';
import { ALICE, addRecord, found, listed, START } from './drafts.ts';
import type { StoreOf, Test, Themes } from './suite.ts';

/** Name → two records of which the filter keeps only the first. */
const FILTERS: Readonly<Record<string, [RecordFilter, Partial<RecordDraft>, Partial<RecordDraft>]>> = {
  categories: [{ categories: ['a', 'b'] }, { category: 'b' }, { category: 'c' }],
  'no category at all': [{ categories: [] }, {}, {}],
  sources: [{ sources: ['knowledge'] }, { source: 'knowledge' }, { source: 'manual' }],
  scopes: [{ scopes: ['swarm'] }, { scope: 'swarm' }, { scope: 'agent' }],
  'one tag': [{ tags: ['x'] }, { tags: ['y', 'x'] }, { tags: ['xy'] }],
  'all of several tags': [{ tags: ['x', 'y'] }, { tags: ['y', 'z', 'x'] }, { tags: ['x'] }],
  agent: [{ agent: 'bob' }, { agent: 'bob' }, { agent: 'alice' }],
  'the least confidence': [{ minConfidence: 0.5 }, { confidence: 0.5 }, { confidence: 0.49 }],
  'a thread': [{ thread: 'a' }, { thread: 'a' }, { thread: 'b' }],
  'several threads': [{ threads: ['b', 'a', "x' OR '1'='1"] }, { thread: 'a' }, { thread: 'c' }],
  'no thread at all': [{ threads: [] }, { thread: 'a' }, {}],
  pinned: [{ pinned: true }, { pinned: true }, { pinned: false }],
  'not pinned': [{ pinned: false }, { pinned: false }, { pinned: true }],
  'several at once': [
    { categories: ['a'], tags: ['x'], minConfidence: 0.1 },
    { category: 'a', tags: ['x'] },
    { category: 'a', tags: ['y'] },
  ],
  'a value that looks like a query': [
    { categories: ["x' OR '1'='1"] },
    { category: "x' OR '1'='1" },
    { category: 'x' },
  ],
};

const filters: Record<string, Test<StoreOf<'records'>>> = {};
for (const [name, [filter, kept, dropped]] of Object.entries(FILTERS)) {
  filters[`keeps to: ${name}`] = async ({ store: { records }, expect }) => {
    const first = await addRecord(records, { content: 'numbat one', ...kept });
    await addRecord(records, { content: 'numbat two', ...dropped });
    const isNothing = filter.categories?.length === 0 || filter.threads?.length === 0;
    const expected = isNothing ? [] : [first.id];
    expect(await listed(records, { filter })).toEqual(expected);
    expect(await found(records, ['numbat'], { filter })).toEqual(expected);
  };
}

export const recordQueries: Themes<StoreOf<'records'>> = {
  'a filter': {
    ...filters,
    'by time takes the beginning and leaves the end': async ({ store: { records }, expect }) => {
      const ids: string[] = [];
      for (const at of [0, 1, 2, 3]) ids.push((await addRecord(records, {}, START + at)).id);
      const filter = { createdSince: START + 1, createdBefore: START + 3 };
      expect(await listed(records, { now: START + 9, filter })).toEqual([ids[2], ids[1]]);
    },
  },

  listing: {
    'shows the newest first, a page at a time, without gaps': async ({ store: { records }, expect }) => {
      const ids: string[] = [];
      for (let i = 0; i < 25; i++)
        ids.unshift((await addRecord(records, { category: i % 2 ? 'a' : 'b' })).id);
      const pages: string[] = [];
      for (let after: string | undefined; ; after = pages.at(-1)) {
        const page = await listed(records, { limit: 7, ...defined({ after }) });
        if (page.length === 0) break;
        expect(page.length).toBe(Math.min(7, 25 - pages.length));
        pages.push(...page);
      }
      expect(pages).toEqual(ids);
    },

    'turns the page also after a record that was forgotten meanwhile': async ({
      store: { records },
      expect,
    }) => {
      const ids: string[] = [];
      for (let i = 0; i < 4; i++) ids.unshift((await addRecord(records)).id);
      await records.forget(ids[1]!, { at: START, viewer: ALICE, via: 'sdk' });
      expect(await listed(records, { limit: 2, after: ids[1]! })).toEqual([ids[2], ids[3]]);
    },

    'finds nothing in an empty store': async ({ store: { records }, expect }) => {
      expect(await listed(records)).toEqual([]);
      expect(await found(records, ['anything'])).toEqual([]);
      expect(await records.agents()).toEqual([]);
    },
  },

  'text search': {
    'takes any of the terms and puts more matches first': async ({ store: { records }, expect }) => {
      const one = await addRecord(records, { content: 'wombat alone in the bush' });
      const both = await addRecord(records, { content: 'wombat and numbat in the bush' });
      await addRecord(records, { content: 'nobody in the bush' });
      expect(await found(records, ['wombat', 'numbat'])).toEqual([both.id, one.id]);
    },

    'looks into category and tags as well': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { content: 'x', category: 'zoology', tags: ['marsupial'] });
      expect(await found(records, ['zoologi'])).toEqual([id]);
      expect(await found(records, ['marsupi'])).toEqual([id]);
    },

    'says how many records hold each term': async ({ store: { records }, expect }) => {
      await addRecord(records, { content: 'swarm wombat wombat', scope: 'swarm' });
      await addRecord(records, { content: 'wombat', scope: 'swarm' });
      const { frequencies, population } = await records.termStatistics(['wombat', 'swarm', 'emu'], ALICE);
      expect([...frequencies]).toEqual([
        ['wombat', 2],
        ['swarm', 1],
        ['emu', 0],
      ]);
      expect(population).toBe(2);
    },

    'counts only what the viewer may see': async ({ store: { records }, expect }) => {
      await addRecord(records, { content: 'wombat', agent: 'bob' });
      await addRecord(records, { content: 'wombat of all', agent: 'bob', scope: 'swarm' });
      await addRecord(records, { content: 'numbat' });
      const seen = async (viewer: Viewer) => {
        const { frequencies, population } = await records.termStatistics(['wombat', 'numbat'], viewer);
        return [...frequencies.values(), population];
      };
      expect(await seen(ALICE)).toEqual([1, 1, 2]);
      expect(await seen({ agent: 'bob', role: 'worker' })).toEqual([2, 0, 2]);
      expect(await seen({ role: 'admin' })).toEqual([2, 1, 3]);
    },

    'has no words of its own: a silo is never found by a term': async ({ store: { records }, expect }) => {
      await addRecord(records, { content: 'wombat', scope: 'swarm' });
      for (const term of ['swarm', 'alice', 'agent', 'silo', 'body', 'labels']) {
        expect([term, await found(records, [term])]).toEqual([term, []]);
      }
    },

    'takes every term as text, whatever it looks like': async ({ store: { records }, expect }) => {
      const { id } = await addRecord(records, { content: 'and or not near wombat' });
      const odd = [
        'and',
        'or',
        'not',
        'near',
        '"',
        '""',
        "'",
        '*',
        'wom*',
        '^wombat',
        'body:wombat',
        '(',
        ')',
        '',
        ' ',
      ];
      for (const term of [...odd, 'NEAR(a b)', '{body}', '-', '+', '\u0000', ';', '%', '_', '\\']) {
        expect([term, (await found(records, [term, 'wombat'])).includes(id)]).toEqual([term, true]);
      }
      expect(await found(records, ['wom*'])).toEqual([]);
    },

    'leaves out what a viewer may not see before it cuts': async ({ store: { records }, expect }) => {
      await Promise.all(
        Array.from({ length: 500 }, (_, i) => addRecord(records, { agent: 'bob', content: `wombat ${i}` })),
      );
      const mine = await addRecord(records, {
        content: `a wombat in a much longer text ${'of words '.repeat(50)}`,
      });
      expect(await found(records, ['wombat'], { viewer: ALICE, limit: 1 })).toEqual([mine.id]);
    },
  },
};

/** The suite that every store of items passes: exact names, order, conditions, owners, and nothing left behind. */
import type { JsonValue } from '../../kernel/json.ts';
import type { ItemOwner, ItemStore, ItemText, ItemWrite, Namespace } from '../../ports/item-store.ts';
import { START } from './drafts.ts';
import { type ConformanceOptions, failure, registerSuite, type StoreOf, type Themes } from './suite.ts';

type Theme = Themes<StoreOf<'items'>>[string];
type Put = Extract<ItemWrite, { op: 'put' }>;

const OWNER: ItemOwner = { agent: 'alice', user: '' };
const LIMIT = 1_000;
const put = (namespace: Namespace, key: string, value: JsonValue, given: Partial<Put> = {}): Put => ({
  ...{ op: 'put', namespace, key, value, texts: [] },
  ...given,
});
const text = (content: string): ItemText => ({ content, words: content.toLowerCase() });
const keys = async (items: ItemStore, namespace: Namespace, owner = OWNER): Promise<string[]> =>
  (await items.read({ ...owner, namespace, limit: LIMIT })).map(({ key }) => key);

const names: Theme = {
  'keeps a value exactly, whatever its name and its content': async ({ store, again, expect }) => {
    const value = { text: 'ünï "\u0000" \u001a0', deep: [1.5, null, { '': false }], lone: '\ud800' };
    const namespace = ['a/b', '%2F', 'ü\u0000', ' '];
    const [made] = await store.items.write(OWNER, [put(namespace, 'k/ü\u0000', value)], START);
    const [item] = await (await again()).items.read({ ...OWNER, namespace, limit: 1 });
    expect(item).toEqual({
      ...{ ...OWNER, namespace, key: 'k/ü\u0000', value, seq: item!.seq, revision: made!.revision },
      ...{ createdAt: START, updatedAt: START },
    });
  },

  'has neither a cap nor a rule against the same value twice': async ({ store: { items }, expect }) => {
    const same = Array.from({ length: 300 }, (_, i) => put(['many'], `k${i}`, { text: 'the same' }));
    await items.write(OWNER, same, START);
    expect((await keys(items, ['many'])).length).toBe(300);
  },

  'a prefix is a prefix of labels, not of letters': async ({ store: { items }, expect }) => {
    const places = [['a'], ['a', 'b'], ['ab'], ['a', 'bc'], ['a', 'b', 'c'], ['a0'], ['a/b']];
    await items.write(
      OWNER,
      places.map((place) => put(place, place.join('|'), null)),
      START,
    );
    expect(await keys(items, ['a'])).toEqual(['a', 'a|b', 'a|bc', 'a|b|c']);
    expect(await keys(items, ['a', 'b'])).toEqual(['a|b', 'a|b|c']);
    expect((await keys(items, [])).length).toBe(places.length);
    const exact = await items.read({ ...OWNER, namespace: ['a'], exact: true, limit: LIMIT });
    expect(exact.map(({ key }) => key)).toEqual(['a']);
    const below = await items.namespaces({ ...OWNER, namespace: ['a'] });
    expect(below).toEqual([['a'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'bc']]);
  },

  'keeps agents and users apart, and finds all users of an agent when asked to': async ({
    store: { items },
    expect,
  }) => {
    const owners = ['', 'u1', 'u2'].map((user) => ({ agent: 'alice', user }));
    for (const owner of [...owners, { agent: 'bob', user: 'u1' }]) {
      await items.write(owner, [put(['n'], 'k', `${owner.agent}:${owner.user}`)], START);
    }
    for (const owner of owners) {
      const [item] = await items.read({ ...owner, namespace: ['n'], limit: LIMIT });
      expect(item?.value).toBe(`alice:${owner.user}`);
    }
    const all = await items.read({ agent: 'alice', namespace: [], limit: LIMIT });
    expect(all.map(({ value }) => value)).toEqual(['alice:', 'alice:u1', 'alice:u2']);
    const ofUser = await items.read({ user: 'u1', namespace: ['n'], limit: LIMIT });
    expect(ofUser.map(({ agent }) => agent)).toEqual(['alice', 'bob']);
    expect((await items.read({ namespace: [], limit: LIMIT })).length).toBe(4);
    expect(await items.erase({ user: 'u1' })).toBe(2);
    expect((await failure(items.erase({}))).code).toBe('INVALID_INPUT');
    expect((await items.copies({ after: 0, limit: LIMIT })).map(({ user }) => user)).toEqual(['', 'u2']);
  },
};

const order: Theme = {
  'keeps the order of adding, also when a value is replaced': async ({ store: { items }, expect }) => {
    for (const key of ['c', 'a', 'b']) await items.write(OWNER, [put(['n'], key, 1)], START);
    await items.write(OWNER, [put(['n'], 'c', 2)], START + 1);
    expect(await keys(items, ['n'])).toEqual(['c', 'a', 'b']);
    const query = { ...OWNER, namespace: ['n'], newest: true };
    const [newest, second] = await items.read({ ...query, limit: 2 });
    expect([newest!.key, second!.key]).toEqual(['b', 'a']);
    const before = await items.read({ ...query, before: second!.seq, limit: LIMIT });
    expect(before.map(({ key, value }) => [key, value])).toEqual([['c', 2]]);
    const after = await items.read({ ...OWNER, namespace: ['n'], after: second!.seq, limit: LIMIT });
    expect(after.map(({ key }) => key)).toEqual(['b']);
    const named = await items.read({ ...OWNER, namespace: ['n'], keys: ['b', 'none', 'c'], limit: LIMIT });
    expect(named.map(({ key }) => key)).toEqual(['c', 'b']);
  },

  'an append that is repeated changes nothing': async ({ store: { items }, again, expect }) => {
    const append = (value: number) => put(['log'], 'uuid-1', value, { keep: true });
    const [first] = await items.write(OWNER, [append(1)], START);
    const [other] = await (await again()).items.write(OWNER, [append(2)], START + 1);
    expect([first!.outcome, other!.outcome]).toEqual(['created', 'kept']);
    expect(other!.revision).toBe(first!.revision);
    expect((await items.read({ ...OWNER, namespace: ['log'], limit: 9 }))[0]?.value).toBe(1);
  },
};

const conditions: Theme = {
  'writes all or nothing, and only to the revision that was read': async ({ store, expect }) => {
    const { items } = store;
    const [made] = await items.write(OWNER, [put(['n'], 'k', 1, { ifRevision: null })], START);
    const stale = [put(['n'], 'other', 1), put(['n'], 'k', 2, { ifRevision: null })];
    expect((await failure(items.write(OWNER, stale, START))).code).toBe('CONFLICT');
    expect(await keys(items, ['n'])).toEqual(['k']);
    const [next] = await items.write(OWNER, [put(['n'], 'k', 2, { ifRevision: made!.revision! })], START);
    expect(next!.outcome).toBe('replaced');
    const remove = { op: 'remove', namespace: ['n'], key: 'k' } as const;
    const old = items.write(OWNER, [{ ...remove, ifRevision: made!.revision! }], START);
    expect((await failure(old)).code).toBe('CONFLICT');
    const both = await items.write(OWNER, [{ ...remove, ifRevision: next!.revision! }, remove], START);
    expect(both.map(({ outcome }) => outcome)).toEqual(['removed', 'absent']);
    // A name that was free in between has another revision.
    const [anew] = await items.write(OWNER, [put(['n'], 'k', 1)], START);
    expect(anew!.revision === made!.revision).toBe(false);
  },

  'of many who count at once, none loses a step': async ({ store, again, expect }) => {
    const handles = [store.items, (await again()).items];
    const place = { ...OWNER, namespace: ['n'], limit: 1 };
    const step = async (items: ItemStore): Promise<void> => {
      for (;;) {
        const [item] = await items.read(place);
        const value = ((item?.value as number | undefined) ?? 0) + 1;
        const write = put(['n'], 'count', value, { ifRevision: item?.revision ?? null });
        try {
          await items.write(OWNER, [write], START);
          return;
        } catch (error) {
          if ((error as { code?: string }).code !== 'CONFLICT') throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: 12 }, (_, i) => step(handles[i % 2]!)));
    expect((await store.items.read(place))[0]?.value).toBe(12);
  },

  'clears a namespace and what is below it, and nothing else': async ({ store: { items }, expect }) => {
    const places = [['a'], ['a', 'b'], ['ab']];
    await items.write(
      OWNER,
      places.map((place) => put(place, 'k', null, { texts: [text('x')] })),
      START,
    );
    await items.write({ ...OWNER, user: 'u' }, [put(['a'], 'k', null)], START);
    const [done] = await items.write(OWNER, [{ op: 'clear', namespace: ['a'] }], START);
    expect(done).toEqual({ outcome: 'cleared', revision: null, changed: 2 });
    expect(await items.namespaces({ ...OWNER, namespace: [] })).toEqual([['ab']]);
    expect((await items.texts({ ...OWNER, namespace: [] })).length).toBe(1);
    expect(await keys(items, ['a'], { ...OWNER, user: 'u' })).toEqual(['k']);
  },
};

const texts: Theme = {
  'keeps texts with their vectors, and drops them with their item': async ({ store: { items }, expect }) => {
    const vector = Float32Array.from([0.6, 0.8]);
    const embedded = { ...text('One'), embedding: { model: 'm', vector } };
    await items.write(OWNER, [put(['n'], 'k', 1, { texts: [embedded, text('Two')] })], START);
    const [one, two] = await items.texts({ ...OWNER, namespace: ['n'] });
    expect([one!.content, one!.words, two!.embedding]).toEqual(['One', 'one', undefined]);
    expect([...one!.embedding!.vector]).toEqual([...vector]);
    const { seq } = two!;
    const draft = { seq, part: 1, content: 'Two', vector };
    await items.saveVectors('m', [draft, { ...draft, content: 'Before', vector: Float32Array.of(9, 9) }]);
    const saved = await items.texts({ ...OWNER, namespace: [] });
    expect([...saved[1]!.embedding!.vector]).toEqual([...vector]);
    await items.write(OWNER, [put(['n'], 'k', 2, { texts: [text('Three')] })], START);
    const now = await items.texts({ ...OWNER, namespace: [] });
    expect(now.map(({ content }) => content)).toEqual(['Three']);
    await items.erase({ agent: 'alice' });
    expect(await items.texts({ ...OWNER, namespace: [] })).toEqual([]);
  },

  'copies carry everything, and what exists is not written over': async ({ store: { items }, expect }) => {
    await items.write(
      { agent: 'bob', user: 'u' },
      [put(['n', 'm'], 'k', [1], { texts: [text('T')] })],
      START,
    );
    const [copy] = await items.copies({ after: 0, limit: 9 });
    const { seq: _, ...kept } = copy!;
    expect(kept).toEqual({
      ...{ agent: 'bob', user: 'u', namespace: ['n', 'm'], key: 'k', value: [1], version: 1 },
      ...{ createdAt: START, updatedAt: START, texts: ['T'] },
    });
    expect(await items.copies({ agent: 'alice', after: 0, limit: 9 })).toEqual([]);
    const draft = { ...kept, texts: [text('T')] };
    const drafts = [draft, { ...draft, value: [2] }, { ...draft, key: 'other' }];
    expect(await items.addCopies(drafts)).toEqual(['present', 'differs', 'added']);
    expect(await items.addCopies(drafts.slice(2))).toEqual(['present']);
  },
};

const closing: Theme = {
  'is refused with CLOSED after closing': async ({ store, expect }) => {
    await store.close();
    const place = { ...OWNER, namespace: [] };
    for (const call of [
      () => store.items.read({ ...place, limit: 1 }),
      () => store.items.namespaces(place),
      () => store.items.texts(place),
      () => store.items.copies({ after: 0, limit: 1 }),
      () => store.items.write(OWNER, [put(['n'], 'k', 1)], START),
      () => store.items.erase({ agent: 'alice' }),
    ]) {
      expect((await failure(call())).code).toBe('CLOSED');
    }
  },
};

export function itemStoreConformance(options: ConformanceOptions<StoreOf<'items'>>): void {
  registerSuite('item store', { names, order, conditions, texts, closing }, options);
}

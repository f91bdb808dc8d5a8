/** The suite that every state store passes: atomic changes, one version at a time, a feed of them, leases. */
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import type { StateChange, StateEdit, StateStore } from '../../ports/state-store.ts';
import { START } from './drafts.ts';
import { type ConformanceOptions, failure, registerSuite, type StoreOf, type Themes } from './suite.ts';

type Theme = Themes<StoreOf<'state'>>[string];

/** Longer than a suite takes, for engines that expire by their own clock. */
const LEASE = 600_000;

function create(state: StateStore, run: string, document: JsonObject = {}, at: number = START) {
  return state.create({ run, document, by: 'lead', at, leaseUntil: at + LEASE });
}

type Draft = Partial<StateEdit> & Pick<StateEdit, 'apply'>;

function edit(state: StateStore, draft: Draft): Promise<number> {
  return state.edit({
    ...{ run: 'run_1', op: 'set', path: '', by: 'worker', at: START, leaseUntil: START + LEASE },
    ...{ keys: null, maxBytes: 1_000 },
    ...draft,
  });
}

const set = (key: string, value: JsonValue): Draft => ({
  keys: [key],
  path: `/${key}`,
  value,
  apply: (part) => ({ ...part, [key]: value }),
});

const append = (key: string, entry: JsonValue): Draft => ({
  op: 'append',
  keys: [key],
  path: `/${key}`,
  value: entry,
  maxBytes: 100_000,
  apply: (part) => ({ ...part, [key]: [...((part[key] as JsonValue[] | undefined) ?? []), entry] }),
});

const writing: Theme = {
  'creates, changes and keeps documents exactly': async ({ store: { state }, expect }) => {
    expect(await state.read('run_1')).toBe(null);
    expect(await create(state, 'run_1')).toEqual({
      run: 'run_1',
      version: 1,
      document: {},
      updatedAt: START,
      leaseUntil: START + LEASE,
    });
    const document = {
      ...{ list: [], nested: { empty: {}, deep: [[], {}] }, number: 1.5, text: 'ünï \u0000 "\\', none: null },
      ...{ big: 2 ** 53 - 1, tiny: 5e-324, exact: 0.1, no: false, '': 'empty key', 'a/b~c "ü"': '\ud83d' },
    };
    const version = await edit(state, {
      at: START + 5,
      leaseUntil: START + 5 + LEASE,
      apply: () => document,
    });
    expect(version).toBe(2);
    expect(await state.read('run_1')).toEqual({
      run: 'run_1',
      version: 2,
      document,
      updatedAt: START + 5,
      leaseUntil: START + 5 + LEASE,
    });
  },

  'a run has one state': async ({ store: { state }, expect }) => {
    await create(state, 'run_1', { a: 1 });
    expect((await failure(create(state, 'run_1', { a: 2 }))).code).toBe('CONFLICT');
    expect((await state.read('run_1'))?.document).toEqual({ a: 1 });
  },

  'changes the keys that it names, and no others': async ({ store: { state }, expect }) => {
    await create(state, 'run_1', { a: 1, b: [2], c: 'three' });
    await edit(state, { keys: ['a', 'c', 'd'], apply: () => ({ a: 10, d: { new: true } }) });
    expect((await state.read('run_1'))?.document).toEqual({ a: 10, b: [2], d: { new: true } });
    await edit(state, { keys: null, apply: ({ b }) => ({ b: b as JsonValue, e: 5 }) });
    expect((await state.read('run_1'))?.document).toEqual({ b: [2], e: 5 });
  },

  'hands the change what it names, and reads it': async ({ store: { state }, expect }) => {
    await create(state, 'run_1', { a: 1, b: 2, c: 3 });
    let seen: JsonObject = {};
    await edit(state, {
      keys: ['b', 'missing'],
      apply: (part) => {
        seen = part;
        return { b: 20 };
      },
    });
    expect(seen.b).toBe(2);
    expect(Object.hasOwn(seen, 'missing')).toBe(false);
    expect((await state.read('run_1', ['b']))?.document.b).toBe(20);
    expect((await state.read('run_1', []))?.version).toBe(2);
  },

  'a change that throws leaves everything as it was': async ({ store: { state }, expect }) => {
    await create(state, 'run_1', { a: 1 });
    const thrown = edit(state, {
      apply: () => {
        throw new Error('no');
      },
    });
    expect(
      await thrown.then(
        () => 'done',
        () => 'failed',
      ),
    ).toBe('failed');
    expect(await state.read('run_1')).toMatchObject({ version: 1, document: { a: 1 } });
  },

  'conflicts with any other version than the present one': async ({ store: { state }, expect }) => {
    await create(state, 'run_1', { a: 1 });
    expect(await edit(state, { ...set('a', 2), ifVersion: 1 })).toBe(2);
    for (const ifVersion of [0, 1, 3, 99]) {
      const error = await failure(edit(state, { ...set('a', 9), ifVersion }));
      expect(error.code).toBe('CONFLICT');
    }
    expect(await state.read('run_1')).toMatchObject({ version: 2, document: { a: 2 } });
  },

  'refuses a document that grows too large': async ({ store: { state }, expect }) => {
    await create(state, 'run_1', { a: 'ü' });
    // {"a":"…"} has 8 bytes around its text.
    await edit(state, { ...set('a', 'x'.repeat(92)), maxBytes: 100 });
    const error = await failure(edit(state, { ...set('a', 'x'.repeat(93)), maxBytes: 100 }));
    expect(error.code).toBe('TOO_LARGE');
    expect((await failure(edit(state, { ...set('b', 1), maxBytes: 100 }))).code).toBe('TOO_LARGE');
    await edit(state, { ...set('a', 'y'), maxBytes: 100 });
    await edit(state, { ...set('b', 'x'.repeat(84)), maxBytes: 100 });
    expect((await failure(edit(state, { ...set('b', 'x'.repeat(85)), maxBytes: 100 }))).code).toBe(
      'TOO_LARGE',
    );
    expect(await state.read('run_1')).toMatchObject({ version: 4, document: { a: 'y' } });
  },

  'there is nothing to change without a state': async ({ store: { state }, expect }) => {
    expect((await failure(edit(state, set('a', 1)))).code).toBe('NOT_FOUND');
  },

  'loses no change of two handles at once': async ({ store, again, expect }) => {
    const other = await again();
    await create(store.state, 'run_1', { entries: [], count: 0 });
    const handles = [store.state, other.state];
    const changes = Array.from({ length: 50 }, (_, i) => {
      const state = handles[i % 2]!;
      if (i % 5 > 0) return edit(state, append('entries', i));
      const count = (part: JsonObject) => ({ ...part, count: (part.count as number) + 1 });
      return edit(state, { op: 'increment', keys: ['count'], path: '/count', apply: count });
    });
    const versions = await Promise.all(changes);
    expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 2));
    const { version, document } = (await store.state.read('run_1'))!;
    expect(version).toBe(51);
    expect(document.count).toBe(10);
    const wanted = Array.from({ length: 50 }, (_, i) => i).filter((i) => i % 5 > 0);
    expect((document.entries as number[]).toSorted((a, b) => a - b)).toEqual(wanted);
  },
};

async function take(feed: AsyncIterable<StateChange>, count: number): Promise<StateChange[]> {
  const taken: StateChange[] = [];
  for await (const change of feed) if (taken.push(change) === count) break;
  return taken;
}

const feed: Theme = {
  'says who changed what, and when': async ({ store: { state }, expect }) => {
    await create(state, 'run_1', { a: 1 });
    await edit(state, { ...set('b', [1]), by: 'bob', at: START + 7 });
    await edit(state, { op: 'delete', keys: ['a'], path: '/a', by: 'eve', at: START + 8, apply: () => ({}) });
    const run = 'run_1';
    expect(await state.changes({ run, after: 0, limit: 10 })).toEqual([
      { run, version: 1, at: START, by: 'lead', op: 'create', path: '', value: { a: 1 } },
      { run, version: 2, at: START + 7, by: 'bob', op: 'set', path: '/b', value: [1] },
      { run, version: 3, at: START + 8, by: 'eve', op: 'delete', path: '/a' },
    ]);
    const versions = async (after: number, limit: number) =>
      (await state.changes({ run, after, limit })).map(({ version }) => version);
    expect(await versions(1, 10)).toEqual([2, 3]);
    expect(await versions(0, 2)).toEqual([1, 2]);
    expect(await versions(3, 10)).toEqual([]);
  },

  'does not repeat large values': async ({ store: { state }, expect }) => {
    await create(state, 'run_1');
    await edit(state, { ...set('a', 'x'.repeat(20_000)), maxBytes: 100_000 });
    const [change] = await state.changes({ run: 'run_1', after: 1, limit: 1 });
    expect(change).toEqual({
      ...{ run: 'run_1', version: 2, at: START, by: 'worker', op: 'set', path: '/a' },
    });
  },

  'is heard in another handle while it happens': async ({ store, again, expect }) => {
    const other = await again();
    await create(store.state, 'run_1');
    const heard = take(other.state.watch({ run: 'run_1', after: 1 }), 2);
    await edit(store.state, set('a', 1));
    await edit(store.state, set('a', 2));
    expect((await heard).map(({ version, value }) => [version, value])).toEqual([
      [2, 1],
      [3, 2],
    ]);
  },

  'ends with the state': async ({ store, again, expect }) => {
    const other = await again();
    await create(store.state, 'run_1');
    const heard = [
      take(store.state.watch({ run: 'run_1', after: 0 }), 99),
      take(other.state.watch({ run: 'run_1', after: 1 }), 99),
    ];
    await store.state.remove('run_1');
    // Whoever was too late for the first change has missed it.
    expect((await heard[0]!).length <= 1).toBe(true);
    expect(await heard[1]).toEqual([]);
  },

  'ends when nobody listens any more': async ({ store: { state }, expect }) => {
    await create(state, 'run_1');
    const stop = new AbortController();
    const heard = take(state.watch({ run: 'run_1', after: 1, signal: stop.signal }), 99);
    stop.abort();
    expect(await heard).toEqual([]);
  },
};

const ending: Theme = {
  'removes once': async ({ store: { state }, expect }) => {
    await create(state, 'run_1');
    await create(state, 'run_2');
    expect(await state.remove('run_1')).toBe(true);
    expect(await state.remove('run_1')).toBe(false);
    expect(await state.read('run_1')).toBe(null);
    expect(await state.changes({ run: 'run_1', after: 0, limit: 10 })).toEqual([]);
    expect((await state.read('run_2'))?.version).toBe(1);
  },

  'a sign of life prolongs the lease, and never shortens it': async ({ store: { state }, expect }) => {
    await create(state, 'run_1');
    await state.touch('run_1', START + 2 * LEASE, START);
    await state.touch('run_1', START + LEASE, START);
    expect(await state.read('run_1')).toMatchObject({ version: 1, leaseUntil: START + 2 * LEASE });
    await edit(state, set('a', 1));
    expect((await state.read('run_1'))?.leaseUntil).toBe(START + 2 * LEASE);
  },

  'sweeps what outlived its lease, and nothing else': async ({ store: { state }, expect }) => {
    await create(state, 'run_old', {}, START);
    await create(state, 'run_new', {}, START + 1);
    expect(await state.sweep(START + LEASE)).toEqual([]);
    expect(await state.sweep(START + LEASE + 1)).toEqual(['run_old']);
    expect(await state.read('run_old')).toBe(null);
    expect((await state.read('run_new'))?.version).toBe(1);
  },

  'is refused with CLOSED after closing': async ({ store, expect }) => {
    await store.close();
    for (const call of [
      () => store.state.read('run_1'),
      () => create(store.state, 'run_1'),
      () => edit(store.state, set('a', 1)),
      () => store.state.changes({ run: 'run_1', after: 0, limit: 1 }),
      () => store.state.remove('run_1'),
      () => store.state.sweep(START),
    ]) {
      expect((await failure(call())).code).toBe('CLOSED');
    }
  },
};

export function stateStoreConformance(options: ConformanceOptions<StoreOf<'state'>>): void {
  registerSuite('state store', { writing, feed, ending }, options);
}

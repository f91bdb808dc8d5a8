/** The suites themselves: they register tests, notice drivers that do wrong, and hold declared divergences to their word. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/drivers/sqlite/index.ts';
import type { RecordStore } from '../../src/ports/record-store.ts';
import { type ConformanceOptions, registerSuite, type StoreOf } from '../../src/testing/conformance/suite.ts';
import {
  eventStoreConformance,
  logStoreConformance,
  recordStoreConformance,
  stateStoreConformance,
} from '../../src/testing/index.ts';
import { makeFolder } from '../fixtures/temporary-folder.ts';

type Tests = Map<string, () => Promise<void>>;

/** A runner that only takes notes. */
function collect() {
  const tests: Tests = new Map();
  return {
    tests,
    runner: {
      describe: (_: string, body: () => void) => body(),
      it: (name: string, body: () => Promise<void>) => void tests.set(name, body),
      expect,
    },
  };
}

async function open() {
  const { folder, remove } = makeFolder();
  const file = join(folder, 'k.db');
  return {
    storage: await openSqlite({ file }),
    again: () => openSqlite({ file }),
    remove: async () => remove(),
  };
}

/** The tests of the record suite, against SQLite with something broken. */
function against(
  breakIt: (records: RecordStore) => Partial<RecordStore>,
  diverges: Record<string, string> = {},
) {
  const { tests, runner } = collect();
  const broken = async () => {
    const opened = await open();
    const damage = (storage: StoreOf<'records'>): StoreOf<'records'> => {
      const { records } = storage;
      const whole = Object.getOwnPropertyNames(Object.getPrototypeOf(records)) as (keyof RecordStore)[];
      const verbs = Object.fromEntries(
        whole.map((verb) => [verb, (records[verb] as (...input: never[]) => unknown).bind(records)]),
      );
      return { ...storage, records: { ...verbs, ...breakIt(records) } as RecordStore };
    };
    return { ...opened, storage: damage(opened.storage), again: async () => damage(await opened.again()) };
  };
  recordStoreConformance({ ...runner, open: broken, diverges });
  return tests;
}

describe('every suite', () => {
  it.each([
    ['record store', recordStoreConformance, 80],
    ['log store', logStoreConformance, 10],
    ['state store', stateStoreConformance, 6],
    ['event store', eventStoreConformance, 4],
  ])('%s registers its tests', (_, conformance, least) => {
    const { tests, runner } = collect();
    conformance({ ...runner, open });
    expect(tests.size).toBeGreaterThanOrEqual(least);
  });

  it('without a test throws', () => {
    const options = { ...collect().runner, open } as unknown as ConformanceOptions<{
      close(): Promise<void>;
    }>;
    expect(() => registerSuite('empty', {}, options)).toThrow('registered no test');
    expect(() => registerSuite('empty', { theme: {} }, options)).toThrow('registered no test');
    const test = async () => {};
    expect(() => registerSuite('twice', { one: { same: test }, two: { same: test } }, options)).toThrow(
      'two tests of one name',
    );
  });
});

describe('a driver that does wrong is noticed', () => {
  it.each<[string, string, (records: RecordStore) => Partial<RecordStore>]>([
    [
      'shows hidden records',
      'gets the same answer',
      (records) => ({
        forget: (id, context) => records.forget(id, { ...context, viewer: { role: 'admin' } }),
      }),
    ],
    [
      'opens what is private',
      'another worker and a record of scope agent: no',
      (records) => ({ get: (id, _, now) => records.get(id, { role: 'admin' }, now) }),
    ],
    [
      'expires a millisecond late',
      'happens at its instant',
      (records) => ({ list: (query) => records.list({ ...query, now: query.now - 1 }) }),
    ],
    [
      'ignores the cap',
      'names what it pruned',
      (records) => ({
        add: (draft, options, context) => records.add(draft, { ...options, maxFacts: 1e9 }, context),
      }),
    ],
    [
      'ignores ifVersion',
      'conflicts with another version than ifVersion',
      (records) => ({
        update: (id, patch, { maxFacts }, context) => records.update(id, patch, { maxFacts }, context),
      }),
    ],
    [
      'forgets nothing',
      'erases the content',
      (records) => ({
        forget: async (id) => {
          const { content } = (await records.get(id, { role: 'admin' }, 0))!;
          return {
            id,
            characters: content.length,
            versions: 2,
            indexEntries: 1,
            journalErased: true,
            pagesErased: true,
            events: [],
          };
        },
      }),
    ],
    [
      'loses the idempotency key',
      'makes a repeated add return the first record',
      (records) => ({
        add: (draft, { maxFacts }, context) =>
          records.add({ ...draft, content: `${draft.content} ${draft.id}` }, { maxFacts }, context),
      }),
    ],
  ])('%s', async (_, name, breakIt) => {
    const tests = against(breakIt);
    const [found] = [...tests].filter(([title]) => title.startsWith(name));
    await expect(found![1]()).rejects.toThrow();
  });
});

describe('a declared divergence', () => {
  const name = 'finds nothing in an empty store';

  it('is shown with its reason, and passes while the driver diverges', async () => {
    const tests = against(() => ({ agents: async () => [{ name: 'ghost', createdAt: 0, facts: 0 }] }), {
      [name]: 'shows a ghost',
    });
    expect(tests.has(name)).toBe(false);
    await tests.get(`${name} (diverges: shows a ghost)`)!();
  });

  it('fails once the driver conforms', async () => {
    const tests = against(() => ({}), { [name]: 'used to show a ghost' });
    await expect(tests.get(`${name} (diverges: used to show a ghost)`)!()).rejects.toThrow(
      'Remove the declaration',
    );
  });

  it('must name a test, and a reason', () => {
    expect(() => against(() => ({}), { 'no such test': 'because' })).toThrow('has no test "no such test"');
    expect(() => against(() => ({}), { [name]: ' ' })).toThrow('needs a reason');
  });
});

/** The suite that every state store passes: whole documents, one version at a time, leases. */
import type { JsonValue } from '../../kernel/json.ts';
import type { StateStore } from '../../ports/state-store.ts';
import { START } from './drafts.ts';
import { type ConformanceOptions, failure, registerSuite, type StoreOf, type Themes } from './suite.ts';

const LEASE = 1_000;

function write(state: StateStore, run: string, document: JsonValue, ifVersion: number, at: number = START) {
  return state.write({ run, document, ifVersion, at, leaseUntil: at + LEASE });
}

const writing: Themes<StoreOf<'state'>>[string] = {
  'creates, changes and keeps documents exactly': async ({ store: { state }, expect }) => {
    expect(await state.read('run_1')).toBe(null);
    const created = await write(state, 'run_1', {}, 0);
    expect(created).toEqual({
      run: 'run_1',
      version: 1,
      document: {},
      updatedAt: START,
      leaseUntil: START + LEASE,
    });
    const document = {
      list: [],
      nested: { empty: {} },
      number: 1.5,
      text: 'ünï \u0000',
      big: 2 ** 53 - 1,
      none: null,
    };
    const changed = await write(state, 'run_1', document, 1, START + 5);
    expect(changed).toMatchObject({ version: 2, updatedAt: START + 5, leaseUntil: START + 5 + LEASE });
    expect(await state.read('run_1')).toEqual({ ...changed, document });
  },

  'takes any JSON as a document': async ({ store: { state }, expect }) => {
    for (const [i, document] of [null, false, 0, '', [], 'text', [[1]]].entries()) {
      await write(state, `run_${i}`, document, 0);
      expect((await state.read(`run_${i}`))?.document).toEqual(document);
    }
  },

  'conflicts with any other version than the present one': async ({ store: { state }, expect }) => {
    expect((await failure(write(state, 'run_1', 'x', 1))).code).toBe('CONFLICT');
    await write(state, 'run_1', 'one', 0);
    for (const version of [0, 2, 99]) {
      expect((await failure(write(state, 'run_1', 'x', version))).code).toBe('CONFLICT');
    }
    expect(await state.read('run_1')).toMatchObject({ version: 1, document: 'one' });
  },

  'loses no update of two handles that read, change and try again': async ({ store, again, expect }) => {
    const other = await again();
    await write(store.state, 'run_1', [], 0);
    const append = async (state: StateStore, entry: number): Promise<void> => {
      for (;;) {
        const { version, document } = (await state.read('run_1'))!;
        try {
          await write(state, 'run_1', [...(document as JsonValue[]), entry], version);
          return;
        } catch (error) {
          if ((await failure(Promise.reject(error))).code !== 'CONFLICT') throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: 10 }, (_, i) => append((i % 2 ? store : other).state, i)));
    const { version, document } = (await store.state.read('run_1'))!;
    expect(version).toBe(11);
    expect((document as number[]).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, i) => i));
  },
};

const ending: Themes<StoreOf<'state'>>[string] = {
  'removes once': async ({ store: { state }, expect }) => {
    await write(state, 'run_1', {}, 0);
    await write(state, 'run_2', {}, 0);
    expect(await state.remove('run_1')).toBe(true);
    expect(await state.remove('run_1')).toBe(false);
    expect(await state.read('run_1')).toBe(null);
    expect((await state.read('run_2'))?.version).toBe(1);
  },

  'sweeps what outlived its lease, and nothing else': async ({ store: { state }, expect }) => {
    await write(state, 'run_old', {}, 0, START);
    await write(state, 'run_new', {}, 0, START + 1);
    expect(await state.sweep(START + LEASE)).toEqual([]);
    expect(await state.sweep(START + LEASE + 1)).toEqual(['run_old']);
    expect(await state.read('run_old')).toBe(null);
    expect((await state.read('run_new'))?.version).toBe(1);
  },

  'is refused with CLOSED after closing': async ({ store, expect }) => {
    await store.close();
    for (const call of [
      () => store.state.read('run_1'),
      () => write(store.state, 'run_1', {}, 0),
      () => store.state.remove('run_1'),
      () => store.state.sweep(START),
    ]) {
      expect((await failure(call())).code).toBe('CLOSED');
    }
  },
};

export function stateStoreConformance(options: ConformanceOptions<StoreOf<'state'>>): void {
  registerSuite('state store', { writing, ending }, options);
}

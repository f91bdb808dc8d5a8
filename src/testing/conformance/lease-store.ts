/** The suite that every store of leases passes: one holder at a time, takeover after expiry, notes for the next one. */
import type { Lease, LeaseStore } from '../../ports/lease-store.ts';
import { START } from './drafts.ts';
import { type ConformanceOptions, failure, registerSuite, type StoreOf, type Themes } from './suite.ts';

type Theme = Themes<StoreOf<'leases'>>[string];

const SPAN = 30_000;
const take = (leases: LeaseStore, owner: string, now = START, name = 'work'): Promise<Lease | null> =>
  leases.take(name, { owner, now, until: now + SPAN });

const holding: Theme = {
  'is held by one, renewed by that one, and free for the next one when given back': async ({
    store: { leases },
    again,
    expect,
  }) => {
    const other = (await again()).leases;
    const held = { name: 'work', owner: 'ünï', expiresAt: START + SPAN, note: null };
    expect(await take(leases, 'ünï')).toEqual(held);
    expect(await take(other, 'b', START + 1)).toBe(null);
    expect(await take(leases, 'ünï', START + 10)).toEqual({ ...held, expiresAt: START + 10 + SPAN });
    expect(await take(other, 'b', START, 'other work')).toMatchObject({ owner: 'b' });
    expect(await other.release('work', 'b')).toBe(false);
    expect(await leases.release('work', 'ünï')).toBe(true);
    expect(await take(other, 'b', START + 11)).toMatchObject({ owner: 'b' });
    expect(await leases.release('work', 'ünï')).toBe(false);
    expect(await leases.release('never taken', 'ünï')).toBe(false);
  },

  'is taken over when it has expired, and the former holder can change nothing': async ({
    store: { leases },
    again,
    expect,
  }) => {
    const other = (await again()).leases;
    await take(leases, 'a');
    expect(await take(other, 'b', START + SPAN - 1)).toBe(null);
    expect(await take(other, 'b', START + SPAN)).toMatchObject({ owner: 'b' });
    expect(await take(leases, 'a', START + SPAN + 1)).toBe(null);
    expect(await leases.note('work', { owner: 'a', note: 'late', keepUntil: START })).toBe(false);
    expect(await leases.release('work', 'a')).toBe(false);
    expect(await leases.list('work')).toMatchObject([{ owner: 'b', note: null }]);
  },

  'holds nobody up who has the right time when it comes from a clock that was far ahead': async ({
    store: { leases },
    expect,
  }) => {
    await take(leases, 'ahead', START + 1_000 * SPAN);
    expect(await take(leases, 'b')).toMatchObject({ owner: 'b', expiresAt: START + SPAN });
    expect(await take(leases, 'a little ahead', START + SPAN / 2)).toBe(null);
  },

  'goes to one of many who ask at the same moment': async ({ store: { leases }, again, expect }) => {
    const handles = [leases, (await again()).leases, (await again()).leases];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => take(handles[i % handles.length]!, `owner ${i}`)),
    );
    expect(answers.filter((lease) => lease !== null).length).toBe(1);
  },
};

const notes: Theme = {
  'keeps a note for the next holder, as long as it is said to be needed': async ({
    store: { leases },
    again,
    expect,
  }) => {
    await take(leases, 'a');
    const note = '{"ünï":"\u0000 😀"}';
    expect(await leases.note('work', { owner: 'a', note, keepUntil: START + 10 * SPAN })).toBe(true);
    await leases.release('work', 'a');
    const other = (await again()).leases;
    expect(await take(other, 'b', START + 9 * SPAN)).toMatchObject({ owner: 'b', note });
    await other.release('work', 'b');
    expect(await take(other, 'c', START + 11 * SPAN)).toMatchObject({ owner: 'c', note: null });
  },

  'lists what begins alike, and forgets what is over': async ({ store: { leases }, expect }) => {
    for (const name of ['a:2', 'a:1', 'A:1', 'b:1', 'a%']) await take(leases, 'x', START, name);
    expect((await leases.list('a:')).map(({ name }) => name)).toEqual(['a:1', 'a:2']);
    expect(await leases.list('a_')).toEqual([]);
    await take(leases, 'x', START + 2 * SPAN, 'c');
    expect((await leases.list('')).map(({ name }) => name)).toEqual(['c']);
  },

  'is refused with CLOSED after closing': async ({ store, expect }) => {
    await store.close();
    for (const call of [
      () => take(store.leases, 'a'),
      () => store.leases.note('work', { owner: 'a', note: '', keepUntil: START }),
      () => store.leases.release('work', 'a'),
      () => store.leases.list(''),
    ]) {
      expect((await failure(call())).code).toBe('CLOSED');
    }
  },
};

export function leaseStoreConformance(options: ConformanceOptions<StoreOf<'leases'>>): void {
  registerSuite('lease store', { holding, notes }, options);
}

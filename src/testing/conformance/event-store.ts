/** The suite that every event store passes: one order over all handles, read from any point on. */
import type { EventDraft } from '../../kernel/events.ts';
import { eventDraft, START } from './drafts.ts';
import { type ConformanceOptions, failure, registerSuite, type StoreOf, type Themes } from './suite.ts';

const stream: Themes<StoreOf<'events'>>[string] = {
  'gives back every field, and a number that grows': async ({ store: { events }, expect }) => {
    expect(await events.latest()).toBe(0);
    const blocked: EventDraft = {
      type: 'memory.blocked',
      reasons: ['a', 'b'],
      category: 'fact',
      at: START,
      via: 'mcp',
      agent: 'alice',
      session: 'ses_1',
    };
    const written = await events.append([blocked, eventDraft()]);
    expect(written[0]).toEqual({ ...blocked, seq: written[0]!.seq });
    expect(written[1]!.seq).toBeGreaterThan(written[0]!.seq);
    expect(await events.read({ limit: 10 })).toEqual(written);
    expect(await events.latest()).toBe(written[1]!.seq);
  },

  'is read from a point on, oldest first, by type and agent': async ({ store: { events }, expect }) => {
    const written = await events.append([
      eventDraft('alice'),
      eventDraft('bob'),
      { type: 'storage.restored', from: 'file', at: START, via: 'cli' },
      eventDraft('alice'),
    ]);
    expect(await events.read({ after: written[1]!.seq, limit: 10 })).toEqual(written.slice(2));
    expect(await events.read({ limit: 2 })).toEqual(written.slice(0, 2));
    expect(await events.read({ agent: 'alice', limit: 10 })).toEqual([written[0], written[3]]);
    expect(await events.read({ types: ['storage.restored'], limit: 10 })).toEqual([written[2]]);
    expect(await events.read({ types: [], limit: 10 })).toEqual([]);
    expect(await events.read({ after: written[3]!.seq, limit: 10 })).toEqual([]);
  },

  'removes what it is told to, and never gives a number again': async ({ store: { events }, expect }) => {
    const written = await events.append([eventDraft(), eventDraft(), eventDraft()]);
    await events.remove([written[0]!.seq, written[2]!.seq]);
    expect(await events.read({ limit: 10 })).toEqual([written[1]]);
    expect(await events.latest()).toBe(written[2]!.seq);
    const [next] = await events.append([eventDraft()]);
    expect(next!.seq).toBeGreaterThan(written[2]!.seq);
  },

  'has one order over two handles': async ({ store, again, expect }) => {
    const other = await again();
    const written = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? store : other).events.append([eventDraft()])),
    );
    const numbers = written.flat().map((event) => event.seq);
    expect(new Set(numbers).size).toBe(20);
    const read = (await store.events.read({ limit: 100 })).map((event) => event.seq);
    expect(read).toEqual(numbers.toSorted((a, b) => a - b));
    expect(await other.events.latest()).toBe(Math.max(...numbers));
  },

  'never shows an event with a smaller number later': async ({ store, again, expect }) => {
    const other = await again();
    const seen: number[] = [];
    for (let i = 0; i < 20; i++) {
      await Promise.all([store.events.append([eventDraft()]), other.events.append([eventDraft()])]);
      const fresh = await store.events.read({ after: seen.at(-1) ?? 0, limit: 100 });
      seen.push(...fresh.map((event) => event.seq));
    }
    expect(seen.length).toBe(40);
  },

  'is refused with CLOSED after closing': async ({ store, expect }) => {
    await store.close();
    for (const call of [
      () => store.events.append([eventDraft()]),
      () => store.events.read({ limit: 1 }),
      () => store.events.latest(),
    ]) {
      expect((await failure(call())).code).toBe('CLOSED');
    }
  },
};

/** What an engine may have; one without it is asked now and then, and passes. */
const news: Themes<StoreOf<'events'>>[string] = {
  'is heard of by whoever listens, whichever handle wrote': async ({ store, again, expect }) => {
    if (store.events.listen === undefined) return;
    const other = await again();
    let newest = 0;
    let wake = (): void => {};
    const stop = store.events.listen((seq) => {
      newest = Math.max(newest, seq);
      wake();
    });
    for (const { events } of [other, store, other]) {
      const [written] = await events.append([eventDraft()]);
      while (newest < written!.seq) await new Promise<void>((resolve) => (wake = resolve));
    }
    stop();
    expect(newest).toBe(await store.events.latest());
  },

  'has one name for everybody, and says what this handle has committed': async ({ store, again, expect }) => {
    const { events } = store;
    if (events.identity === undefined || events.onCommit === undefined) return;
    const other = await again();
    const committed: number[] = [];
    const stop = events.onCommit((seq) => committed.push(seq));
    await other.events.append([eventDraft()]);
    const last = (await events.append([eventDraft(), eventDraft()])).at(-1)!.seq;
    expect(committed).toEqual([last]);
    stop();
    await events.append([eventDraft()]);
    expect(committed).toEqual([last]);
    const names = await Promise.all([events.identity(), other.events.identity!(), events.identity()]);
    expect(new Set(names).size).toBe(1);
    expect(names[0]!.length).toBeGreaterThan(20);
  },
};

export function eventStoreConformance(options: ConformanceOptions<StoreOf<'events'>>): void {
  registerSuite('event store', { stream, news }, options);
}

/** The suite that every message bus passes: one order for all participants, live and afterwards. */
import type { BusDraft, BusMessage, MessageBus } from '../../ports/message-bus.ts';
import { START } from './drafts.ts';
import { type ConformanceOptions, failure, registerSuite, type StoreOf, type Themes } from './suite.ts';

type Theme = Themes<StoreOf<'bus'>>[string];

/** Longer than a suite takes, for engines that expire by their own clock. */
const LEASE = 600_000;

function publish(bus: MessageBus, id: string, draft: Partial<BusDraft> = {}): Promise<number> {
  return bus.publish({
    ...{ id, run: 'run_1', agent: 'alice', role: 'alice', content: `text of ${id}`, at: START },
    ...{ passing: false, leaseUntil: START + LEASE },
    ...draft,
  });
}

const ids = (messages: readonly BusMessage[]): string[] => messages.map(({ id }) => id);

async function take(feed: AsyncIterable<BusMessage>, count: number): Promise<string[]> {
  const taken: string[] = [];
  for await (const { id } of feed) if (taken.push(id) === count) break;
  return taken;
}

const reading: Theme = {
  'keeps messages exactly and in order': async ({ store: { bus }, expect }) => {
    const content = [
      { type: 'text', text: 'ünï \u0000' },
      { list: [], none: null },
    ];
    const first = await publish(bus, 'msg_1', { role: 'User', content, at: START + 9 });
    const second = await publish(bus, 'msg_2', { agent: 'bob', role: 'bob' });
    expect(second).toBeGreaterThan(first);
    expect(await bus.read({ run: 'run_1', limit: 10 })).toEqual([
      { seq: first, id: 'msg_1', run: 'run_1', agent: 'alice', role: 'User', content, at: START + 9 },
      {
        ...{ seq: second, id: 'msg_2', run: 'run_1', agent: 'bob', role: 'bob' },
        ...{ content: 'text of msg_2', at: START },
      },
    ]);
  },

  'finds by run, by agent, and after a place': async ({ store: { bus }, expect }) => {
    const first = await publish(bus, 'msg_1');
    await publish(bus, 'msg_2', { agent: 'bob' });
    await publish(bus, 'msg_3', { run: 'run_2' });
    await publish(bus, 'msg_4');
    expect(ids(await bus.read({ run: 'run_1', limit: 10 }))).toEqual(['msg_1', 'msg_2', 'msg_4']);
    expect(ids(await bus.read({ run: 'run_1', limit: 2 }))).toEqual(['msg_1', 'msg_2']);
    expect(ids(await bus.read({ run: 'run_1', after: first, limit: 10 }))).toEqual(['msg_2', 'msg_4']);
    expect(ids(await bus.read({ run: 'run_1', agent: 'alice', limit: 10 }))).toEqual(['msg_1', 'msg_4']);
    expect(ids(await bus.read({ run: 'run_1', agent: 'alice', after: first, limit: 1 }))).toEqual(['msg_4']);
    expect(await bus.read({ run: 'run_3', limit: 10 })).toEqual([]);
  },

  'refuses what was said already, so that saying it again does no harm': async ({ store, again, expect }) => {
    const other = await again();
    await publish(store.bus, 'msg_1');
    expect((await failure(publish(other.bus, 'msg_1'))).code).toBe('CONFLICT');
    await publish(other.bus, 'msg_2');
    expect(ids(await store.bus.read({ run: 'run_1', limit: 10 }))).toEqual(['msg_1', 'msg_2']);
  },

  'has one order for many writers at once': async ({ store, again, expect }) => {
    const handles = [store.bus, (await again()).bus];
    const wanted = Array.from({ length: 40 }, (_, i) => `msg_${i}`);
    const seqs = await Promise.all(wanted.map((id, i) => publish(handles[i % 2]!, id)));
    expect(new Set(seqs).size).toBe(40);
    const [one, two] = await Promise.all(handles.map((bus) => bus.read({ run: 'run_1', limit: 100 })));
    expect(one).toEqual(two);
    expect(ids(one!).toSorted()).toEqual(wanted.toSorted());
  },
};

const live: Theme = {
  'is heard in another handle while it happens': async ({ store, again, expect }) => {
    const other = await again();
    await publish(store.bus, 'msg_1');
    const all = take(other.bus.watch({ run: 'run_1' }), 3);
    const bobs = take(other.bus.watch({ run: 'run_1', agent: 'bob' }), 1);
    await publish(store.bus, 'msg_2');
    await publish(store.bus, 'msg_3', { agent: 'bob' });
    expect(await all).toEqual(['msg_1', 'msg_2', 'msg_3']);
    expect(await bobs).toEqual(['msg_3']);
  },

  'tells everything, then ends with the run': async ({ store, again, expect }) => {
    const other = await again();
    const heard = take(other.bus.watch({ run: 'run_1' }), 99);
    await publish(store.bus, 'msg_1');
    await publish(store.bus, 'msg_2');
    await store.bus.end('run_1');
    expect(await heard).toEqual(['msg_1', 'msg_2']);
    expect(await take(other.bus.watch({ run: 'run_1' }), 99)).toEqual(['msg_1', 'msg_2']);
  },

  'ends when nobody listens any more': async ({ store: { bus }, expect }) => {
    const stop = new AbortController();
    const heard = take(bus.watch({ run: 'run_1', signal: stop.signal }), 99);
    stop.abort();
    expect(await heard).toEqual([]);
  },
};

const ending: Theme = {
  'what the log does not keep is gone after the run': async ({ store: { bus }, expect }) => {
    await publish(bus, 'msg_1', { passing: true });
    expect(ids(await bus.read({ run: 'run_1', limit: 10 }))).toEqual(['msg_1']);
    await bus.end('run_1');
    expect(await bus.read({ run: 'run_1', limit: 10 })).toEqual([]);
    await bus.end('run_1');
  },

  'removes all that was said in one run, over or not, and nothing of others': async ({
    store: { bus },
    again,
    expect,
  }) => {
    await publish(bus, 'msg_1');
    await publish(bus, 'msg_2', { run: 'run_2' });
    await bus.end('run_1');
    const other = await again();
    await other.bus.remove('run_1');
    await other.bus.remove('run_none');
    expect(await bus.read({ run: 'run_1', limit: 10 })).toEqual([]);
    expect(ids(await bus.read({ run: 'run_2', limit: 10 }))).toEqual(['msg_2']);
    // Nothing remembers that it was over, nor that the message had been said.
    await publish(bus, 'msg_1');
    expect(ids(await other.bus.read({ run: 'run_1', limit: 10 }))).toEqual(['msg_1']);
  },

  'is refused with CLOSED after closing': async ({ store, expect }) => {
    await store.close();
    for (const call of [
      () => publish(store.bus, 'msg_1'),
      () => store.bus.read({ run: 'run_1', limit: 1 }),
      () => store.bus.end('run_1'),
      () => store.bus.remove('run_1'),
    ]) {
      expect((await failure(call())).code).toBe('CLOSED');
    }
  },
};

export function messageBusConformance(options: ConformanceOptions<StoreOf<'bus'>>): void {
  registerSuite('message bus', { reading, live, ending }, options);
}

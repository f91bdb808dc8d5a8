/** Whoever watches hears of what this process writes at once, and not when it next happens to look. */
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import type { StateEdit } from '../../../src/ports/state-store.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

/** With a clock that stands still: nobody looks again by himself. */
async function storage() {
  const opened = await openSqlite({ file: join(temporaryFolder(), 'k.db') });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(async () => {
    vi.useRealTimers();
    await opened.close();
  });
  return opened;
}

const RUN = 'run_1';
const say = (id: string) => ({
  ...{ id, run: RUN, agent: 'alice', role: 'user', content: id, at: 0, passing: false, leaseUntil: 1e12 },
});

it('messages, and the end of a run', async () => {
  const { bus } = await storage();
  const heard: string[] = [];
  const watching = (async () => {
    for await (const { id } of bus.watch({ run: RUN })) heard.push(id);
  })();
  for (const id of ['one', 'two', 'three']) {
    await bus.publish(say(id));
    while (!heard.includes(id)) await new Promise((resolve) => setImmediate(resolve));
  }
  await bus.end(RUN);
  await watching;
  expect(heard).toEqual(['one', 'two', 'three']);
});

it('changes of a state, and that it is gone', async () => {
  const { state } = await storage();
  const edit = (value: number): StateEdit => ({
    ...{ run: RUN, at: 0, by: 'alice', op: 'set', path: '/a', value, leaseUntil: 1e12, maxBytes: 1_000 },
    ...{ keys: ['a'], apply: () => ({ a: value }) },
  });
  await state.create({ run: RUN, document: {}, by: 'alice', at: 0, leaseUntil: 1e12 });
  const heard: number[] = [];
  const watching = (async () => {
    for await (const { version } of state.watch({ run: RUN, after: 1 })) heard.push(version);
  })();
  for (const version of [2, 3]) {
    await state.edit(edit(version));
    while (!heard.includes(version)) await new Promise((resolve) => setImmediate(resolve));
  }
  await state.remove(RUN);
  await watching;
  expect(heard).toEqual([2, 3]);
});

it('whoever stops listening is let go at once', async () => {
  const { bus } = await storage();
  const stop = new AbortController();
  const watching = (async () => {
    for await (const _ of bus.watch({ run: RUN, signal: stop.signal })) throw new Error('Nobody spoke.');
  })();
  await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  await watching;
});

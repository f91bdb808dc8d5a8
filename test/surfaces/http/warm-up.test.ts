/** A server searches once by itself, so that the first question of a person is not the first of the process. */
import { afterEach, expect, it, vi } from 'vitest';
import { warmUp } from '../../../src/surfaces/http/warm-up.ts';
import { testWorkspace } from '../../fixtures/workspace.ts';

afterEach(() => vi.useRealTimers());

async function begun() {
  const client = testWorkspace().open();
  await client.agent({ name: 'alice' }).memory.add({ content: 'The harbour closes at six.' });
  const engine = await client.open();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const search = vi.spyOn(engine.records, 'search');
  return { search, end: warmUp(engine), client };
}

it('asks once, soon after the start, and waits for the answer when it ends', async () => {
  const { search, end, client } = await begun();
  expect(search).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2_000);
  expect(search).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
  await end();
  await expect(search.mock.results[0]!.value).resolves.toEqual([]);
  // Nobody is told of it, and nothing is counted.
  const [memory] = await client.memory.list();
  expect([memory!.accessCount, memory!.injectedCount]).toEqual([0, 0]);
  expect(await client.events.read({ types: ['memory.recalled'] })).toEqual([]);
});

it('asks nothing of a server that ends at once', async () => {
  const { search, end } = await begun();
  await end();
  vi.advanceTimersByTime(10_000);
  expect(search).not.toHaveBeenCalled();
});

/** A server removes what is too old by itself, once of all that share a store, and says how much in its log. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { createClient } from '../../../src/index.ts';
import { DAY } from '../../../src/kernel/clock.ts';
import { keepRetention } from '../../../src/surfaces/http/keep-retention.ts';
import { ServerLog } from '../../../src/surfaces/http/watch/index.ts';
import { fakeClock } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

it('removes old receipts some minutes after the start, and again every day', async () => {
  const clock = fakeClock();
  const config = { retention: { receipts: '7d' } };
  const client = createClient({ workspace: temporaryFolder(), clock, config });
  onTestFinished(() => client.close());
  const engine = await client.open();
  const write = () =>
    engine.storage.events.append([
      { type: 'session.receipt', at: clock.now(), via: 'system', agent: 'alice', loop: 1, receipt: {} },
    ]);
  const left = async () =>
    (await engine.storage.events.read({ types: ['session.receipt'], limit: 9 })).length;
  const lines: string[] = [];
  const log = new ServerLog({ format: 'json', level: 'info', clock, write: (line) => lines.push(line) });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await write();
  const stop = keepRetention(engine, log);
  clock.advance(8 * DAY);
  vi.advanceTimersByTime(5 * 60_000);
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(JSON.parse(lines[0]!)).toMatchObject({ event: 'retention', receipts: 1, messages: 0 });
  expect(await left()).toBe(0);
  await write();
  clock.advance(8 * DAY);
  vi.advanceTimersByTime(DAY);
  await vi.waitFor(() => expect(lines).toHaveLength(2));
  expect(await left()).toBe(0);
  stop();
  await write();
  vi.advanceTimersByTime(2 * DAY);
  expect(await left()).toBe(1);
});

/** The event stream forgets its oldest part, and never a number. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqlite } from '../../../src/drivers/sqlite/index.ts';
import type { EventDraft } from '../../../src/kernel/events.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

it('keeps the last 100,000 events and goes on counting', async () => {
  const file = join(temporaryFolder(), 'k.db');
  const first = await openSqlite({ file });
  const draft: EventDraft = { type: 'memory.forgotten', id: 'mem_1', at: 0, via: 'sdk' };
  const total = 102_000;
  for (let i = 0; i < total; i += 6_000)
    await first.events.append(Array.from({ length: 6_000 }, () => draft));
  const [oldest] = await first.events.read({ limit: 1 });
  expect(oldest!.seq).toBe(2_001);
  expect(await first.events.latest()).toBe(total);
  await first.close();
  const second = await openSqlite({ file });
  const [next] = await second.events.append([draft]);
  expect(next!.seq).toBe(total + 1);
  await second.close();
});

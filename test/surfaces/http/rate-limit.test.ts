/** Who counts requests when others may know more of them. */
import { stat } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { RateLimit } from '../../../src/surfaces/http/rate-limit.ts';
import { fakeClock } from '../../../src/testing/index.ts';

it('a server that was busy itself still takes the count that was answered meanwhile', async () => {
  // The system answers in a thread of its own, and the answer waits until somebody reads it.
  const others = { take: () => stat('.').then(() => 5_000) };
  const limit = new RateLimit(fakeClock('2026-03-01T12:00:00Z'), 10, others);
  const asked = limit.take('laptop').then(
    () => 'passed',
    () => 'refused',
  );
  // For much longer than anybody waits, nothing is read.
  const end = performance.now() + 300;
  while (performance.now() < end);
  expect(await asked).toBe('refused');
});

/** When a call to somebody else's server is made again: pauses that double, up to a minute, and no more calls than were asked for. */
import { expect, it } from 'vitest';
import { KeepsakeError } from '../../../src/index.ts';
import { AttemptFailure, retrying } from '../../../src/models/remote/retrying.ts';
import { recordPauses } from '../../fixtures/recorded-pauses.ts';

const away = new KeepsakeError('UNAVAILABLE', 'It is away.');

/** Fails so many times, then answers. */
function failing(times: number, again = true, waitMs?: number) {
  let calls = 0;
  const attempt = async () => {
    calls += 1;
    if (calls <= times) throw new AttemptFailure(away, again, waitMs);
    return calls;
  };
  return { attempt, calls: () => calls };
}

const options = { retries: 3, backoffMs: 500, signal: undefined };

it('doubles its pauses up to a minute', async () => {
  const pauses = recordPauses();
  expect(await retrying(failing(9).attempt, { ...options, retries: 9 })).toBe(10);
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

it('makes as many more calls as it may, and then throws what went wrong', async () => {
  const pauses = recordPauses();
  const { attempt, calls } = failing(4);
  await expect(retrying(attempt, options)).rejects.toBe(away);
  expect([calls(), pauses]).toEqual([4, [500, 1_000, 2_000]]);
});

it('waits as long as the server asks for, but not for more than a minute', async () => {
  const pauses = recordPauses();
  expect(await retrying(failing(1, true, 60_000).attempt, options)).toBe(2);
  const { attempt, calls } = failing(1, true, 60_001);
  await expect(retrying(attempt, options)).rejects.toBe(away);
  expect([calls(), pauses]).toEqual([1, [60_000]]);
});

it('does not repeat a call that would fail again, nor one that was stopped', async () => {
  const pauses = recordPauses();
  const { attempt, calls } = failing(1, false);
  await expect(retrying(attempt, options)).rejects.toBe(away);
  const stopped = failing(1);
  const signal = AbortSignal.abort();
  await expect(retrying(stopped.attempt, { ...options, signal })).rejects.toMatchObject({ code: 'ABORTED' });
  expect([calls(), stopped.calls(), pauses]).toEqual([1, 0, []]);
});

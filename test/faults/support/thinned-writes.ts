/** Which system calls a fault test takes: all but the writes always, and of the many writes a part that the seed decides. */
import { thinned } from '../../fixtures/campaign.ts';
import type { Fault } from './failing-calls.ts';

export function thinnedWrites(faults: readonly Fault[], step: number, seed: number): readonly Fault[] {
  const writes = new Set(
    thinned(
      faults.filter(({ call }) => call === 'pwrite64'),
      step,
      seed,
    ),
  );
  return faults.filter((fault) => fault.call !== 'pwrite64' || writes.has(fault));
}

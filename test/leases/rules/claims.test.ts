/** Which leases of others refuse a claim, without a database. */
import { expect, it } from 'vitest';
import { refusingExpiry } from '../../../src/leases/rules/claims.ts';

it('refuses what expires after now and within ten times the span that is claimed', () => {
  expect(refusingExpiry({ owner: 'a', now: 1_000, until: 1_030 })).toEqual({ from: 1_001, to: 1_300 });
});

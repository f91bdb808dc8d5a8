/** How a record ends when another one takes its place, without a database. */
import { describe, expect, it } from 'vitest';
import type { StoredRecord } from '../../src/ports/record-store.ts';
import { decideSupersede } from '../../src/records/rules/decide-supersede.ts';
import { ALICE, BOB, context, START } from '../../src/testing/conformance/drafts.ts';
import { refusal, storedRecord } from './support/stored-record.ts';

const LATER = START + 1_000;
const now = context(ALICE, LATER);

const end = (fields: Partial<StoredRecord>, validFrom: number | null): number | null =>
  decideSupersede(storedRecord(fields), 'mem_a', { id: 'mem_b', validFrom }, now).fields.expiresAt;

describe('a superseded record', () => {
  it('names the one that took its place and frees its own', () => {
    const row = storedRecord();
    expect(decideSupersede(row, row.id, { id: 'mem_b', validFrom: null }, now)).toEqual({
      row,
      fields: { expiresAt: LATER, expiryReason: 'superseded', supersededBy: 'mem_b', counted: false },
      facts: -1,
    });
  });

  it('that holds no place frees none', () => {
    const row = storedRecord({ counted: false });
    expect(decideSupersede(row, row.id, { id: 'mem_b', validFrom: null }, now).facts).toBe(0);
  });

  it.each([
    ['when the new one takes effect', {}, START + 10, START + 10],
    ['never later than now', {}, LATER + 10, LATER],
    ['not before it was stored', {}, START - 10, START],
    ['not before it was valid itself', { validFrom: START - 50 }, START - 99, START - 50],
    ['no later than it ended anyway', { expiresAt: START + 5 }, START + 10, START + 5],
  ] as const)('ends %s', (_, fields, validFrom, expected) => {
    expect(end(fields, validFrom)).toBe(expected);
  });
});

describe('superseding is refused', () => {
  const by = { id: 'mem_b', validFrom: null };

  it('twice', () => {
    const row = storedRecord({ supersededBy: 'mem_c' });
    expect(refusal(() => decideSupersede(row, row.id, by, now))).toEqual({
      code: 'CONFLICT',
      message: `${row.id} was superseded by mem_c already.`,
    });
  });

  it('for what somebody may not see, may not change, or what was forgotten', () => {
    const code = (row: StoredRecord, viewer = ALICE) =>
      refusal(() => decideSupersede(row, row.id, by, context(viewer))).code;
    expect(code(storedRecord(), BOB)).toBe('NOT_FOUND');
    expect(code(storedRecord({ scope: 'swarm' }), BOB)).toBe('FORBIDDEN');
    expect(code(storedRecord({ forgottenAt: START }))).toBe('FORGOTTEN');
  });
});

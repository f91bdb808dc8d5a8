/** How a stored record reads now, at an earlier time, and version by version, without a database. */
import { describe, expect, it } from 'vitest';
import {
  historyFor,
  isOver,
  newRecord,
  presentVersion,
  recordAsOf,
  recordAt,
  snapshotOf,
} from '../../src/records/rules/stored-records.ts';
import { ALICE, BOB, recordDraft, START } from '../../src/testing/conformance/drafts.ts';
import { storedRecord } from './support/stored-record.ts';

describe('a record now', () => {
  it('is over at its instant', () => {
    expect([null, START - 1, START, START + 1].map((end) => isOver(end, START))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('has a reason for its end only once it has ended', () => {
    const stored = storedRecord({ expiresAt: START, expiryReason: 'superseded' });
    expect(recordAt(stored, START - 1)).toMatchObject({ state: 'live', expiryReason: null });
    expect(recordAt(stored, START)).toMatchObject({ state: 'expired', expiryReason: 'superseded' });
    expect(recordAt({ ...stored, expiryReason: null }, START)).toMatchObject({ expiryReason: 'ttl' });
    expect(recordAt({ ...stored, forgottenAt: START }, START)).toMatchObject({
      state: 'forgotten',
      expiryReason: null,
    });
  });

  it('does not show what only the store needs', () => {
    const shown = Object.keys(recordAt({ ...storedRecord(), rid: 1 } as never, START));
    for (const hidden of ['rid', 'counted', 'change', 'changedBy']) expect(shown).not.toContain(hidden);
  });

  it('reads right after an add as the add says', () => {
    for (const expiresAt of [null, START, START + 1]) {
      const draft = recordDraft({ expiresAt });
      const stored = storedRecord({ ...draft, supersedes: 'mem_a' });
      expect(newRecord(draft, 'mem_a', START)).toEqual(recordAt(stored, START));
    }
  });
});

describe('a history', () => {
  const first = presentVersion(storedRecord({ content: 'one' }));
  const shared = storedRecord({ content: 'two', version: 2, change: 'updated', scope: 'swarm' });

  it('ends with the present version', () => {
    const { snapshot, ...one } = first;
    expect(historyFor(ALICE, shared, [first])).toEqual([
      { id: shared.id, ...one, ...snapshot },
      {
        ...{ id: shared.id, version: 2, change: 'updated', changedAt: START, changedBy: 'alice' },
        ...snapshotOf(shared),
      },
    ]);
  });

  it('leaves out the versions from before it was shared, for those who could not see it then', () => {
    expect(historyFor(BOB, shared, [first]).map(({ version }) => version)).toEqual([2]);
  });

  it('of a record that the viewer may not see is empty, whatever it was before', () => {
    const wasShared = { ...first, snapshot: { ...first.snapshot, scope: 'swarm' } } as const;
    expect(historyFor(BOB, { ...shared, scope: 'agent' }, [wasShared])).toEqual([]);
  });
});

describe('a record as of an earlier time', () => {
  const at = START + 10;
  const present = storedRecord({ content: 'two', version: 5, updatedAt: START + 100, accessCount: 3 });
  const then = (expiresAt: number | null = null) => ({
    version: 4,
    changedAt: START + 5,
    snapshot: { ...snapshotOf(present), content: 'one', expiresAt },
  });

  it('says what the version said, and is live', () => {
    expect(recordAsOf(present, then(), at)).toEqual({
      ...recordAt(present, at),
      ...{ content: 'one', version: 4, updatedAt: START + 5, state: 'live', expiryReason: null },
    });
  });

  it('is none if it was over by then, by its own end or by the one that superseded it', () => {
    expect(recordAsOf(present, then(at), at)).toBe(undefined);
    expect(recordAsOf(present, then(at + 1), at)).toMatchObject({ expiresAt: at + 1 });
    const superseded = { ...present, supersededBy: 'mem_b', expiresAt: at + 7 };
    expect(recordAsOf(superseded, then(), at)).toMatchObject({ expiresAt: at + 7 });
    expect(recordAsOf(superseded, then(at + 1), at)).toMatchObject({ expiresAt: at + 1 });
    expect(recordAsOf({ ...superseded, expiresAt: at }, then(), at)).toBe(undefined);
    // Its end of today, by hand, was not known then.
    expect(recordAsOf({ ...present, expiresAt: at }, then(), at)).toMatchObject({ expiresAt: null });
  });
});

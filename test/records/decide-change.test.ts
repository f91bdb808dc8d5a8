/** What an update and an undo do to the record that was found, without a database. */
import { describe, expect, it } from 'vitest';
import type { RecordPatch, StoredRecord } from '../../src/ports/record-store.ts';
import { decideRevert, decideUpdate, restoredVersion } from '../../src/records/rules/decide-change.ts';
import { snapshotOf } from '../../src/records/rules/stored-records.ts';
import { ADMIN, ALICE, BOB, context, START } from '../../src/testing/conformance/drafts.ts';
import { refusal, storedRecord } from './support/stored-record.ts';

const LATER = START + 1_000;
const now = context(ALICE, LATER);
const LEAD = { agent: 'bob', role: 'lead' } as const;

const update = (row: StoredRecord, patch: RecordPatch, options = {}, by = now) =>
  decideUpdate(row, row.id, patch, options, by);

/** The plan, which must be one that changes something. */
function updated(row: StoredRecord, patch: RecordPatch, by = now) {
  const plan = update(row, patch, {}, by);
  if (plan.outcome !== 'updated') throw new Error('It changes nothing.');
  return plan;
}

describe('an update', () => {
  it('keeps the version before and writes the next', () => {
    const row = storedRecord({ content: 'one', version: 3, change: 'undone', changedBy: 'bob' });
    expect(update(row, { content: 'two' })).toEqual({
      outcome: 'updated',
      row,
      kept: { version: 3, change: 'undone', changedAt: START, changedBy: 'bob', snapshot: snapshotOf(row) },
      fields: {
        ...snapshotOf(row),
        ...{ content: 'two', version: 4, change: 'updated', changedBy: 'alice', updatedAt: LATER },
        ...{ expiryReason: null, counted: true },
      },
      embedding: undefined,
      facts: 0,
      checksCap: false,
      event: {
        type: 'memory.wrote',
        ...{ at: LATER, via: 'sdk', agent: 'alice', id: row.id, category: 'fact', source: 'manual' },
        ...{ scope: 'agent', version: 4, change: 'updated' },
      },
    });
  });

  it('tells of the new category and scope', () => {
    expect(updated(storedRecord(), { category: 'other', scope: 'swarm' }).event).toMatchObject({
      category: 'other',
      scope: 'swarm',
    });
  });

  it('hands on the vector, which is not a change by itself', () => {
    const embedding = { model: 'test:model@1', vector: Float32Array.of(1) };
    expect(updated(storedRecord(), { content: 'two', embedding })).toMatchObject({ embedding });
    expect(update(storedRecord({ content: 'two' }), { content: 'two', embedding })).toMatchObject({
      outcome: 'unchanged',
    });
  });

  it('with the same values changes nothing', () => {
    const row = storedRecord({ tags: ['a'], metadata: { n: [1] } });
    expect(update(row, { content: row.content, tags: ['a'], metadata: { n: [1] } })).toEqual({
      outcome: 'unchanged',
      row,
    });
    expect(update(row, { tags: ['a', 'b'] }).outcome).toBe('updated');
  });
});

describe('who may not', () => {
  const shared = storedRecord({ scope: 'swarm' });
  const result = storedRecord({ scope: 'swarm', source: 'swarm_result' });
  const by = (viewer: Parameters<typeof context>[0], row: StoredRecord | undefined, id = row!.id) =>
    refusal(() => decideUpdate(row, id, { content: 'x' }, {}, context(viewer)));

  it('see it, cannot tell it from one that does not exist', () => {
    const row = storedRecord();
    expect(by(BOB, row)).toEqual({ code: 'NOT_FOUND', message: `There is no memory ${row.id}.` });
    expect(by(BOB, undefined, row.id)).toEqual(by(BOB, row));
  });

  it('change it, is told whose it is', () => {
    expect(by(BOB, shared)).toEqual({
      code: 'FORBIDDEN',
      message: `bob may not change ${shared.id}, which belongs to alice.`,
    });
    expect(by(ALICE, result)).toEqual({
      code: 'FORBIDDEN',
      message: `alice may not change ${result.id}, which is the result of a swarm.`,
    });
    expect(by({ role: 'reader' }, shared).message).toContain('reader may not change');
  });

  it('does not learn that it was forgotten', () => {
    expect(by(BOB, { ...shared, forgottenAt: START }).code).toBe('FORBIDDEN');
    expect(by(ALICE, storedRecord({ forgottenAt: START })).code).toBe('FORGOTTEN');
  });

  it('a lead and the owner of the workspace may', () => {
    for (const viewer of [LEAD, ADMIN]) {
      expect(update(shared, { content: 'x' }, {}, context(viewer)).outcome).toBe('updated');
    }
    expect(by(LEAD, result).code).toBe('FORBIDDEN');
    expect(update(result, { content: 'x' }, {}, context(ADMIN)).outcome).toBe('updated');
  });
});

describe('the expected version', () => {
  it('must be the present one', () => {
    const row = storedRecord({ version: 2 });
    expect(refusal(() => update(row, { content: 'x' }, { ifVersion: 1 }))).toEqual({
      code: 'CONFLICT',
      message: `${row.id} is at version 2, not 1.`,
    });
    expect(update(row, { content: 'x' }, { ifVersion: 2 }).outcome).toBe('updated');
  });
});

describe('the end of a record', () => {
  it('is a change of its own kind when it is now, and by hand', () => {
    const plan = updated(storedRecord(), { expiresAt: LATER });
    expect(plan).toMatchObject({
      fields: { change: 'expired', expiryReason: 'manual', counted: false },
      facts: -1,
      checksCap: false,
      event: { change: 'expired' },
    });
  });

  it('in the future is an update like others', () => {
    expect(updated(storedRecord(), { expiresAt: LATER + 1 })).toMatchObject({
      fields: { change: 'updated', expiryReason: null, counted: true },
      facts: 0,
    });
  });

  it('keeps its reason while something else changes', () => {
    const pruned = storedRecord({ expiresAt: START, expiryReason: 'maxEntries', counted: false });
    expect(updated(pruned, { content: 'x' })).toMatchObject({
      fields: { change: 'updated', expiryReason: 'maxEntries', counted: false },
      facts: 0,
      checksCap: false,
    });
  });

  it('taken back brings it into the cap again', () => {
    const pruned = storedRecord({ expiresAt: START, expiryReason: 'maxEntries', counted: false });
    expect(updated(pruned, { expiresAt: null })).toMatchObject({
      fields: { expiryReason: null, counted: true },
      facts: 1,
      checksCap: true,
    });
  });

  it('taken back after it expired by itself, when it still holds its place', () => {
    const over = storedRecord({ expiresAt: LATER, counted: true });
    expect(updated(over, { expiresAt: null })).toMatchObject({ facts: 0, checksCap: true });
  });

  it('of what is not a fact concerns no cap', () => {
    const chunk = storedRecord({ source: 'knowledge', counted: false, expiresAt: START });
    expect(updated(chunk, { expiresAt: null })).toMatchObject({
      fields: { counted: false },
      facts: 0,
      checksCap: false,
    });
  });

  it('cannot be moved once another record took its place', () => {
    const row = storedRecord({ supersededBy: 'mem_b', expiresAt: START, expiryReason: 'superseded' });
    expect(refusal(() => update(row, { expiresAt: null }))).toEqual({
      code: 'CONFLICT',
      message: `${row.id} was superseded by mem_b; when it ended cannot be changed.`,
    });
    expect(update(row, { expiresAt: START, content: 'x' }).outcome).toBe('updated');
  });
});

describe('a pin', () => {
  it('that is taken away lets the cap look at the fact again', () => {
    expect(updated(storedRecord({ pinned: true }), { pinned: false }).checksCap).toBe(true);
    expect(updated(storedRecord(), { pinned: true }).checksCap).toBe(false);
    expect(updated(storedRecord({ pinned: true }), { content: 'x' }).checksCap).toBe(false);
  });
});

describe('an undo', () => {
  const row = storedRecord({ content: 'two', version: 2, change: 'updated' });
  const one = { ...snapshotOf(row), content: 'one' };

  it('goes to the version before unless another is asked for', () => {
    expect([restoredVersion(row, undefined), restoredVersion(row, 7)]).toEqual([1, 7]);
  });

  it('puts the earlier version back as a new one', () => {
    expect(decideRevert(row, 1, one, now)).toMatchObject({
      outcome: 'updated',
      kept: { version: 2, change: 'updated', snapshot: { content: 'two' } },
      fields: { content: 'one', version: 3, change: 'undone' },
      event: { version: 3, change: 'undone' },
    });
  });

  it('to the present version changes nothing', () => {
    expect(decideRevert(row, 2, undefined, now)).toEqual({ outcome: 'unchanged', row });
  });

  it('to a version that does not exist, or that the viewer may not see, is refused alike', () => {
    const shared = { ...row, scope: 'swarm' } as const;
    const refusals = [
      refusal(() => decideRevert(shared, 1, undefined, context(LEAD))),
      refusal(() => decideRevert(shared, 1, { ...one, scope: 'agent' }, context(LEAD))),
    ];
    const expected = { code: 'NOT_FOUND', message: `${row.id} has no version 1 to go back to.` };
    expect(refusals).toEqual([expected, expected]);
    expect(decideRevert(shared, 1, { ...one, scope: 'swarm' }, context(LEAD)).outcome).toBe('updated');
  });

  it('stays an undo even if it ends the record', () => {
    expect(decideRevert(row, 1, { ...one, expiresAt: START }, now)).toMatchObject({
      fields: { change: 'undone', expiryReason: 'manual', counted: false },
    });
  });

  it('does not bring back to life what was superseded', () => {
    const superseded = {
      ...row,
      supersededBy: 'mem_b',
      expiresAt: START,
      expiryReason: 'superseded',
    } as const;
    expect(decideRevert(superseded, 1, { ...one, expiresAt: null }, now)).toMatchObject({
      fields: { content: 'one', expiresAt: START, expiryReason: 'superseded' },
    });
  });
});

/** What an add does with what was found, without a database. */
import { describe, expect, it } from 'vitest';
import { decideAdd } from '../../src/records/rules/decide-add.ts';
import { identityOf } from '../../src/records/rules/duplicates.ts';
import { ALICE, BOB, context, recordDraft, START } from '../../src/testing/conformance/drafts.ts';
import { refusal, storedRecord } from './support/stored-record.ts';

const LATER = START + 1_000;
const now = context(ALICE, LATER);

describe('an add of something new', () => {
  it('inserts a live record of version 1, counts it and tells', () => {
    const draft = recordDraft({ tags: ['a'], validFrom: START });
    expect(decideAdd({}, draft, {}, { ...now, session: 's1' })).toEqual({
      outcome: 'added',
      record: {
        ...draft,
        state: 'live',
        createdAt: LATER,
        updatedAt: LATER,
        expiryReason: null,
        supersedes: null,
        supersededBy: null,
        forgottenAt: null,
        version: 1,
        accessCount: 0,
        lastAccessedAt: null,
        injectedCount: 0,
      },
      changedBy: 'alice',
      counted: true,
      supersede: undefined,
      event: {
        type: 'memory.wrote',
        ...{ at: LATER, via: 'sdk', agent: 'alice', session: 's1' },
        ...{ id: draft.id, category: 'fact', source: 'manual', scope: 'agent', version: 1, change: 'added' },
      },
    });
  });

  it('leaves the vector out of the record', () => {
    const embedding = { model: 'test:model@1', vector: Float32Array.of(1) };
    const plan = decideAdd({}, recordDraft({ embedding }), {}, now);
    expect(plan.outcome === 'added' && 'embedding' in plan.record).toBe(false);
  });

  it.each([
    ['manual', true],
    ['extracted', true],
    ['task_completion', false],
    ['session_summary', false],
    ['file_index', false],
    ['knowledge', false],
    ['swarm_result', false],
  ] as const)('from %s takes a place of the cap: %s', (source, counted) => {
    expect(decideAdd({}, recordDraft({ source }), {}, now)).toMatchObject({ outcome: 'added', counted });
  });

  it('that is over already is expired by its time', () => {
    const plan = decideAdd({}, recordDraft({ expiresAt: LATER }), {}, now);
    expect(plan).toMatchObject({ record: { state: 'expired', expiryReason: 'ttl' } });
  });

  it('is written by a role where no agent is named', () => {
    const plan = decideAdd({}, recordDraft(), {}, context({ role: 'admin' }));
    expect(plan).toMatchObject({ changedBy: 'admin' });
  });

  it('supersedes a record', () => {
    const superseded = storedRecord();
    const draft = recordDraft();
    expect(decideAdd({ superseded }, draft, { supersedes: superseded.id }, now)).toMatchObject({
      outcome: 'added',
      record: { supersedes: superseded.id },
      supersede: { row: superseded, fields: { supersededBy: draft.id, expiresAt: LATER } },
    });
  });

  it('is refused when the record to supersede does not exist', () => {
    const decide = () => decideAdd({}, recordDraft(), { supersedes: 'mem_x' }, now);
    expect(refusal(decide)).toEqual({ code: 'NOT_FOUND', message: 'There is no memory mem_x.' });
  });
});

describe('an add of the same text', () => {
  it('says who is the duplicate, and changes nothing when it says nothing new', () => {
    const same = storedRecord();
    expect(decideAdd({ same }, recordDraft(), {}, now)).toEqual({
      outcome: 'duplicate',
      row: same,
      supersede: undefined,
      change: { outcome: 'unchanged', row: same },
    });
  });

  it('adds a longer life, a pin, confidence and tags, and takes none of them away', () => {
    const same = storedRecord({ expiresAt: LATER + 5, confidence: 0.5, tags: ['a', 'b'] });
    const stronger = recordDraft({ expiresAt: LATER + 9, pinned: true, confidence: 0.7, tags: ['b', 'c'] });
    expect(decideAdd({ same }, stronger, {}, now)).toMatchObject({
      change: {
        outcome: 'updated',
        fields: { expiresAt: LATER + 9, pinned: true, confidence: 0.7, tags: ['a', 'b', 'c'], version: 2 },
      },
    });
    expect(decideAdd({ same }, recordDraft({ expiresAt: null }), {}, now)).toMatchObject({
      change: { outcome: 'updated', fields: { expiresAt: null } },
    });
    const weaker = recordDraft({ expiresAt: LATER + 1, confidence: 0.1 });
    expect(decideAdd({ same }, weaker, {}, now)).toMatchObject({ change: { outcome: 'unchanged' } });
    const forever = storedRecord({ expiresAt: null, pinned: true });
    expect(decideAdd({ same: forever }, weaker, {}, now)).toMatchObject({ change: { outcome: 'unchanged' } });
  });

  it('takes the place of another record only now, in the name of the first', () => {
    const [same, superseded] = [storedRecord(), storedRecord()];
    expect(decideAdd({ same, superseded }, recordDraft(), { supersedes: superseded.id }, now)).toMatchObject({
      outcome: 'duplicate',
      supersede: { row: superseded, fields: { supersededBy: same.id } },
    });
  });

  it('does not supersede itself', () => {
    const same = storedRecord();
    const plan = decideAdd({ same, superseded: same }, recordDraft(), { supersedes: same.id }, now);
    expect(plan).toMatchObject({ outcome: 'duplicate', supersede: undefined });
  });
});

describe('an add with a key that was used', () => {
  it('repeats the answer and nothing else', () => {
    const [row, same, superseded] = [storedRecord({ confidence: 0.1 }), storedRecord(), storedRecord()];
    const found = { keyed: { row, isSameText: true }, same, superseded };
    expect(decideAdd(found, recordDraft(), { supersedes: superseded.id }, now)).toEqual({
      outcome: 'duplicate',
      row,
      supersede: undefined,
      change: { outcome: 'unchanged', row },
    });
  });

  it('does not look at what it supersedes, which it may have ended the first time', () => {
    const keyed = { row: storedRecord(), isSameText: true };
    const superseded = storedRecord({ supersededBy: keyed.row.id });
    const plan = decideAdd({ keyed, superseded }, recordDraft(), { supersedes: superseded.id }, now);
    expect(plan.outcome).toBe('duplicate');
  });

  it('is a CONFLICT for another text', () => {
    const keyed = { row: storedRecord(), isSameText: false };
    expect(refusal(() => decideAdd({ keyed }, recordDraft(), {}, now)).code).toBe('CONFLICT');
  });

  it('does not bring back what was forgotten, whatever the text', () => {
    for (const isSameText of [true, false]) {
      const keyed = { row: storedRecord({ forgottenAt: START }), isSameText };
      expect(refusal(() => decideAdd({ keyed }, recordDraft(), {}, now)).code).toBe('FORGOTTEN');
    }
  });
});

describe('two records are the same', () => {
  const identity = (fields: object) =>
    JSON.stringify(identityOf({ ...recordDraft({ content: 'x' }), ...fields }));

  it('when owner, scope, source, category, text and thread are', () => {
    expect(identity({ tags: ['a'], confidence: 0, pinned: true })).toBe(identity({}));
    const others = [
      { agent: BOB.agent },
      { scope: 'swarm' },
      { source: 'extracted' },
      { category: 'other' },
      { content: 'y' },
      { thread: 't' },
    ];
    expect(new Set([{}, ...others].map(identity)).size).toBe(others.length + 1);
  });
});

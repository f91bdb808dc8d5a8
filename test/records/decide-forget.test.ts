/** What a forget erases, without a database. */
import { describe, expect, it } from 'vitest';
import type { StoredRecord } from '../../src/ports/record-store.ts';
import { decideForget, type ErasePlan, erasureOf } from '../../src/records/rules/decide-forget.ts';
import { ALICE, BOB, context, START } from '../../src/testing/conformance/drafts.ts';
import { refusal, storedRecord } from './support/stored-record.ts';

const LATER = START + 1_000;
const now = context(ALICE, LATER);

const forget = (row: StoredRecord | undefined, id = row!.id, by = now) => decideForget(row, id, by);

describe('a forget', () => {
  it('overwrites all that was said and keeps the place', () => {
    const row = storedRecord({
      ...{ content: 'secret', category: 'private', tags: ['t'], metadata: { a: 1 }, thread: 'talk' },
    });
    expect(forget(row)).toEqual({
      outcome: 'erase',
      row,
      fields: {
        ...{ content: '', category: '', tags: [], metadata: {}, thread: null },
        ...{ forgottenAt: LATER, updatedAt: LATER, change: 'updated', changedBy: 'alice', counted: false },
      },
      facts: -1,
      event: { type: 'memory.forgotten', at: LATER, via: 'sdk', agent: 'alice', id: row.id },
    });
  });

  it('frees a place only if the record held one', () => {
    expect(forget(storedRecord({ counted: false }))).toMatchObject({ facts: 0 });
  });

  it('says what it erased', () => {
    const plan = forget(storedRecord({ id: 'mem_a', content: 'secret' })) as ErasePlan<StoredRecord>;
    const expected = { id: 'mem_a', characters: 6, versions: 3, indexEntries: 1, events: [] };
    expect(erasureOf(plan, 2, [])).toEqual(expected);
  });

  it('a second time erases nothing and tells nobody', () => {
    expect(forget(storedRecord({ id: 'mem_a', forgottenAt: START }))).toEqual({
      outcome: 'forgotten',
      result: { id: 'mem_a', characters: 0, versions: 0, indexEntries: 0, events: [] },
    });
  });

  it('needs the right to change the record, also when it is forgotten already', () => {
    const code = (row: StoredRecord | undefined) => refusal(() => forget(row, 'mem_a', context(BOB))).code;
    expect(code(undefined)).toBe('NOT_FOUND');
    expect(code(storedRecord())).toBe('NOT_FOUND');
    expect(code(storedRecord({ scope: 'swarm' }))).toBe('FORBIDDEN');
    expect(code(storedRecord({ scope: 'swarm', forgottenAt: START }))).toBe('FORBIDDEN');
  });
});

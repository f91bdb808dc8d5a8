/** What becomes of records from another store, and of the names of agents, without a database. */
import { describe, expect, it } from 'vitest';
import type { StoredRecord } from '../../src/ports/record-store.ts';
import { isKnownAgent } from '../../src/records/rules/agent-names.ts';
import { copyOf, decideCopy } from '../../src/records/rules/decide-copy.ts';
import { presentVersion, snapshotOf } from '../../src/records/rules/stored-records.ts';
import { START } from '../../src/testing/conformance/drafts.ts';
import { refusal, storedRecord } from './support/stored-record.ts';

describe('a copy', () => {
  const present = storedRecord({ version: 2 });
  const decide = (copy: Partial<StoredRecord>, here: StoredRecord | undefined = present) =>
    decideCopy(here, copyOf({ ...present, ...copy }, []));

  it('is added where its id is new, forgotten or not', () => {
    expect(decideCopy(undefined, copyOf(present, []))).toBe('added');
    expect(decideCopy(undefined, copyOf({ ...present, forgottenAt: START }, []))).toBe('added');
  });

  it('is present when version, time, text and owner are the same', () => {
    expect(decide({})).toBe('present');
    expect(decide({ accessCount: 9 })).toBe('present');
    for (const other of [{ version: 3 }, { updatedAt: START + 1 }, { content: 'other' }, { agent: 'bob' }]) {
      expect(decide(other)).toBe('differs');
    }
    expect(decide({ forgottenAt: START })).toBe('differs');
  });

  it('does not bring back what was forgotten here', () => {
    const forgotten = { ...present, forgottenAt: START };
    expect(decide({}, forgotten)).toBe('forgotten');
    expect(decide({ forgottenAt: START }, forgotten)).toBe('present');
  });

  it('carries every earlier version', () => {
    const first = storedRecord({ content: 'one' });
    expect(copyOf(present, [presentVersion(first)]).earlier).toEqual([
      { version: 1, change: 'added', changedAt: START, changedBy: 'alice', ...snapshotOf(first) },
    ]);
  });
});

describe('the name of an agent', () => {
  it('is new, known, or refused when only its case is new', () => {
    expect(isKnownAgent('alice', undefined)).toBe(false);
    expect(isKnownAgent('alice', 'alice')).toBe(true);
    expect(refusal(() => isKnownAgent('Alice', 'alice'))).toEqual({
      code: 'INVALID_NAME',
      message: 'There is an agent "alice"; "Alice" would share its folder.',
    });
  });
});

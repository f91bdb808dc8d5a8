/** What creating and editing a working state decides, without a database. */
import { describe, expect, it } from 'vitest';
import type { StateEdit, StateSnapshot } from '../../../src/ports/state-store.ts';
import { feedEntry, KEPT_CHANGES } from '../../../src/working/rules/change-feed.ts';
import { decideCreate, decideEdit, editedDocument } from '../../../src/working/rules/decide-state.ts';

const DRAFT = { run: 'run_1', document: { a: 1 }, at: 1_000, by: 'ada', leaseUntil: 5_000 };
const FOUND: StateSnapshot = {
  run: 'run_1',
  version: 7,
  document: { a: 1, b: 2 },
  updatedAt: 1_000,
  leaseUntil: 5_000,
};

function editOf(edit: Partial<StateEdit> = {}): StateEdit {
  return {
    ...{ run: 'run_1', at: 2_000, by: 'ada', op: 'set', path: '/a', leaseUntil: 6_000 },
    ...{ maxBytes: 1_000, keys: ['a'], apply: () => ({ a: 3 }) },
    ...edit,
  };
}

describe('creating', () => {
  it('begins at version 1, with the document in the feed', () => {
    expect(decideCreate(null, DRAFT)).toEqual({
      state: { run: 'run_1', version: 1, document: { a: 1 }, updatedAt: 1_000, leaseUntil: 5_000 },
      text: '{"a":1}',
      change: { version: 1, value: '{"a":1}', dropUpTo: 0 },
    });
  });

  it('refuses a second state of a run', () => {
    expect(() => decideCreate(FOUND, DRAFT)).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
  });
});

describe('editing', () => {
  it('makes the next version, and leaves the keys alone that it does not name', () => {
    expect(decideEdit(FOUND, editOf({ value: 3 }))).toEqual({
      state: { run: 'run_1', version: 8, document: { a: 3, b: 2 }, updatedAt: 2_000, leaseUntil: 6_000 },
      text: '{"a":3,"b":2}',
      change: { version: 8, value: '3', dropUpTo: 0 },
    });
    expect(FOUND.document).toEqual({ a: 1, b: 2 });
  });

  it('removes a named key that the result lacks, and ignores keys that were not named', () => {
    expect(editedDocument(editOf({ keys: ['a'], apply: () => ({ c: 1 }) }), FOUND.document)).toEqual({
      b: 2,
    });
  });

  it('takes the whole result when no keys are named', () => {
    expect(editedDocument(editOf({ keys: null, apply: () => ({ c: 1 }) }), FOUND.document)).toEqual({ c: 1 });
  });

  it('never shortens a lease', () => {
    expect(decideEdit(FOUND, editOf({ leaseUntil: 4_000 })).state.leaseUntil).toBe(5_000);
  });

  it('accepts the expected version, and refuses another one before the edit runs', () => {
    expect(decideEdit(FOUND, editOf({ ifVersion: 7 })).state.version).toBe(8);
    const apply = () => {
      throw new Error('The edit ran.');
    };
    expect(() => decideEdit(FOUND, editOf({ ifVersion: 6, apply }))).toThrow(
      expect.objectContaining({ code: 'CONFLICT', details: { run: 'run_1', expected: 6, found: 7 } }),
    );
  });

  it('needs a state', () => {
    expect(() => decideEdit(null, editOf())).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  it('counts the document in bytes: as many as allowed fit, one more does not', () => {
    const apply = () => ({ a: 'ü' });
    const bytes = Buffer.byteLength('{"a":"ü","b":2}');
    expect(decideEdit(FOUND, editOf({ apply, maxBytes: bytes })).text).toBe('{"a":"ü","b":2}');
    expect(() => decideEdit(FOUND, editOf({ apply, maxBytes: bytes - 1 }))).toThrow(
      expect.objectContaining({ code: 'TOO_LARGE', details: { run: 'run_1', bytes, maxBytes: bytes - 1 } }),
    );
  });
});

describe('the feed of changes', () => {
  it('repeats values of up to 8,192 characters of JSON', () => {
    expect(feedEntry('x'.repeat(8_190), 2).value).toHaveLength(8_192);
    expect(feedEntry('x'.repeat(8_191), 2).value).toBeNull();
    expect(feedEntry(undefined, 2).value).toBeNull();
    expect(feedEntry(null, 2).value).toBe('null');
  });

  it('keeps the newest changes only', () => {
    expect(feedEntry(1, KEPT_CHANGES).dropUpTo).toBe(0);
    expect(feedEntry(1, KEPT_CHANGES + 1).dropUpTo).toBe(1);
  });
});

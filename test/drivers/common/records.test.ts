/** What every engine decides alike about a record: how its words count, and what saying it again adds. */
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../src/drivers/common/record-words.ts';
import type { RecordFilter } from '../../../src/ports/record-store.ts';
import { strengthening } from '../../../src/records/rules/duplicates.ts';
import { matchesFilter } from '../../../src/records/rules/matches-filter.ts';
import { newRecord } from '../../../src/records/rules/stored-records.ts';
import { recordDraft } from '../../../src/testing/conformance/drafts.ts';

describe('words', () => {
  const text = {
    scope: 'agent',
    user: null,
    category: 'note',
    content: 'tea tea cup',
    tags: ['tea', 'pot'],
  } as const;

  it('count as often as they are said, those of labels less', () => {
    const { words, frequencies, length, shared } = wordsOf(text);
    expect([words, frequencies]).toEqual([
      ['tea', 'cup', 'note', 'pot'],
      [2.6, 1, 0.6, 0.6],
    ]);
    expect([length, shared]).toEqual([7, false]);
  });

  it('of a shared record are one more', () => {
    expect(wordsOf({ ...text, scope: 'swarm' })).toMatchObject({ length: 8, shared: true });
  });
});

describe('saying it again', () => {
  const known = { tags: ['a'], expiresAt: 100, pinned: false, confidence: 0.5 };
  const again = (more: object) =>
    strengthening(known, {
      ...recordDraft(),
      tags: [],
      expiresAt: 50,
      pinned: false,
      confidence: 0.4,
      ...more,
    });

  it('adds nothing that is weaker or the same', () => {
    expect(again({})).toEqual({});
    expect(again({ tags: ['a'], expiresAt: 100, confidence: 0.5 })).toEqual({});
  });

  it('adds what is stronger, each by itself', () => {
    expect(again({ expiresAt: 101 })).toEqual({ expiresAt: 101 });
    expect(again({ expiresAt: null })).toEqual({ expiresAt: null });
    expect(again({ pinned: true })).toEqual({ pinned: true });
    expect(again({ confidence: 0.6 })).toEqual({ confidence: 0.6 });
    expect(again({ tags: ['b', 'a'] })).toEqual({ tags: ['a', 'b'] });
  });

  it('takes nothing from what lives for ever and is pinned', () => {
    const firm = { ...known, expiresAt: null, pinned: true };
    expect(
      strengthening(firm, { ...recordDraft(), tags: [], expiresAt: 7, pinned: true, confidence: 0 }),
    ).toEqual({});
  });
});

it('a new record that is over already says so', () => {
  expect(newRecord({ ...recordDraft(), expiresAt: 10 }, null, 10)).toMatchObject({
    state: 'expired',
    expiryReason: 'ttl',
  });
  expect(newRecord({ ...recordDraft(), expiresAt: 11 }, 'mem_1', 10)).toMatchObject({
    ...{ state: 'live', expiryReason: null, supersedes: 'mem_1', version: 1, createdAt: 10, updatedAt: 10 },
    ...{ accessCount: 0, injectedCount: 0, lastAccessedAt: null, forgottenAt: null, supersededBy: null },
  });
});

describe('a filter', () => {
  const record = {
    ...newRecord(
      { ...recordDraft(), category: 'note', tags: ['a', 'b'], confidence: 0.5, thread: 't' },
      null,
      10,
    ),
  };

  it.each<[RecordFilter, boolean]>([
    [{}, true],
    [{ categories: ['note'] }, true],
    [{ categories: ['fact'] }, false],
    [{ sources: [record.source] }, true],
    [{ sources: [] }, false],
    [{ scopes: ['agent'] }, record.scope === 'agent'],
    [{ scopes: ['swarm'] }, record.scope === 'swarm'],
    [{ tags: ['a', 'b'] }, true],
    [{ tags: ['a', 'c'] }, false],
    [{ agent: record.agent }, true],
    [{ agent: 'nobody' }, false],
    [{ minConfidence: 0.5 }, true],
    [{ minConfidence: 0.51 }, false],
    [{ createdSince: 10 }, true],
    [{ createdSince: 11 }, false],
    [{ createdBefore: 11 }, true],
    [{ createdBefore: 10 }, false],
    [{ pinned: false }, true],
    [{ pinned: true }, false],
    [{ thread: 't' }, true],
    [{ thread: 'u' }, false],
    [{ heldAt: 10 }, true],
    [{ heldAt: 9 }, false],
  ])('%j', (filter, expected) => {
    expect(matchesFilter(record, filter)).toBe(expected);
  });

  it('by a time asks what was said then, not what became of it', () => {
    const changed = { ...record, version: 2, updatedAt: 20 };
    expect(matchesFilter(changed, { heldAt: 19 })).toBe(false);
    expect(matchesFilter(changed, { heldAt: 20 })).toBe(true);
    expect(matchesFilter({ ...record, updatedAt: 20 }, { heldAt: 15 })).toBe(true);
    expect(matchesFilter({ ...record, validFrom: 5 }, { heldAt: 5 })).toBe(true);
    expect(matchesFilter({ ...record, validFrom: 5 }, { heldAt: 4 })).toBe(false);
  });
});

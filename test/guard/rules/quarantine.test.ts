/** What the quarantine keeps, recognises and drops, without a database. */
import { describe, expect, it } from 'vitest';
import { identityOf, keptEntries, newEntry, stateOf } from '../../../src/guard/rules/quarantine.ts';
import type { RefusedWrite } from '../../../src/ports/quarantine-store.ts';

const WRITE: RefusedWrite = {
  ...{ id: 'q1', at: 1_000, agent: 'ada', via: 'sdk', session: null, user: null, verb: 'memory.add' },
  ...{ input: { content: 'x' }, content: 'x', category: 'fact', origin: 'agent', reasons: ['injection'] },
};

it('a refused write waits, tried once', () => {
  expect(newEntry(WRITE)).toEqual({
    ...WRITE,
    ...{ state: 'waiting', times: 1, lastAt: 1_000, releasedAt: null, releasedBy: null, releasedAs: null },
  });
  expect(stateOf(null)).toBe('waiting');
  expect(stateOf(2_000)).toBe('released');
});

describe('the same write', () => {
  const entry = newEntry(WRITE);

  it('has the same agent, verb and input, whatever its id, time and reasons', () => {
    const again = newEntry({ ...WRITE, id: 'q2', at: 9_000, reasons: ['secret'], session: 's' });
    expect(identityOf(again)).toEqual(identityOf(entry));
    for (const other of [{ agent: 'bob' }, { verb: 'memory.update' as const }, { input: { content: 'y' } }])
      expect(identityOf({ ...entry, ...other })).not.toEqual(identityOf(entry));
  });

  it('is not recognised once it was released', () => {
    expect(identityOf({ ...entry, input: null })).toBeNull();
  });
});

describe('what is kept', () => {
  it.each([
    ['all that fit', [5, 5], { entries: 2, characters: 10 }, 2],
    ['not more entries than allowed', [1, 1, 1], { entries: 2, characters: 10 }, 2],
    ['not more characters than allowed', [5, 5, 1], { entries: 9, characters: 10 }, 2],
    ['nothing older than the first that does not fit', [5, 6, 1], { entries: 9, characters: 10 }, 1],
    ['the newest, however large it is', [11, 1], { entries: 9, characters: 10 }, 1],
    ['the newest, whatever the limit', [1, 1], { entries: 0, characters: 10 }, 1],
    ['nothing of nothing', [], { entries: 9, characters: 10 }, 0],
  ])('%s', (_, sizes, limits, kept) => {
    expect(keptEntries(sizes, limits)).toBe(kept);
  });
});

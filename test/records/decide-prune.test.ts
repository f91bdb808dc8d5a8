/** Which facts leave when there are too many, without a database. */
import { describe, expect, it } from 'vitest';
import type { StoredRecord } from '../../src/ports/record-store.ts';
import { decidePrune, overflowOf, WEAKEST_FIRST } from '../../src/records/rules/decide-prune.ts';
import { ALICE, context, START } from '../../src/testing/conformance/drafts.ts';
import { storedRecord } from './support/stored-record.ts';

describe('the cap', () => {
  it.each([
    [0, 3, 0],
    [3, 3, 0],
    [4, 3, 1],
    [9, 0, 9],
  ])('%i facts with a limit of %i are %i too many', (facts, limit, expected) => {
    expect(overflowOf(facts, limit)).toBe(expected);
  });

  it('ends the weakest and tells of each', () => {
    const weakest = [storedRecord({ category: 'guess' }), storedRecord()];
    const at = START + 5;
    const told = { type: 'memory.pruned', at, via: 'sdk', agent: 'alice', limit: 7 };
    expect(decidePrune(weakest, 7, context(ALICE, at))).toEqual({
      pruned: weakest.map(({ id }) => id),
      fields: { expiresAt: at, expiryReason: 'maxEntries', counted: false },
      facts: -2,
      events: weakest.map(({ id, category }) => ({ ...told, id, category })),
    });
  });

  it('lets the extracted go before the manual, then the least sure, then the longest unchanged', () => {
    const facts = [
      storedRecord({ id: '4', source: 'manual', confidence: 0.5, updatedAt: START + 1 }),
      storedRecord({ id: '1', source: 'extracted', confidence: 0.2, updatedAt: START + 9 }),
      storedRecord({ id: '5', source: 'manual', confidence: 0.9, updatedAt: START }),
      storedRecord({ id: '2', source: 'extracted', confidence: 1, updatedAt: START }),
      storedRecord({ id: '3', source: 'manual', confidence: 0.5, updatedAt: START }),
    ];
    const compare = (a: StoredRecord, b: StoredRecord): number => {
      const field = WEAKEST_FIRST.find((each) => a[each] !== b[each]);
      return field === undefined ? 0 : a[field] < b[field] ? -1 : 1;
    };
    expect(facts.sort(compare).map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5']);
  });
});

/** The life of a record, and how long each source lives. */
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/kernel/clock.ts';
import { DEFAULT_TTL, FACT_SOURCES, SOURCES, stateAt } from '../../src/kernel/record.ts';

describe('the state of a record', () => {
  it.each([
    [null, null, 'live'],
    [101, null, 'live'],
    [100, null, 'expired'],
    [99, null, 'expired'],
    [0, null, 'expired'],
    [null, 50, 'forgotten'],
    [101, 50, 'forgotten'],
    [99, 50, 'forgotten'],
  ] as const)('expiring at %s, forgotten at %s, is at 100: %s', (expiresAt, forgottenAt, state) => {
    expect(stateAt(100, { expiresAt, forgottenAt })).toBe(state);
  });

  it('never goes back as time goes on', () => {
    const order = ['live', 'expired', 'forgotten'];
    for (const life of [
      { expiresAt: 5, forgottenAt: null },
      { expiresAt: null, forgottenAt: 3 },
    ]) {
      const states = Array.from({ length: 10 }, (_, now) => order.indexOf(stateAt(now, life)));
      expect(states).toEqual(states.toSorted((a, b) => a - b));
    }
  });
});

describe('lifetimes', () => {
  it('E-13 E-14 E-15 E-16 are those of the documents', () => {
    expect(DEFAULT_TTL).toEqual({
      task_completion: 7 * DAY,
      session_summary: 3 * DAY,
      file_index: 30 * DAY,
      manual: null,
      extracted: null,
      knowledge: null,
      swarm_result: null,
    });
  });

  it('every source has one, and only facts count against the cap', () => {
    expect(Object.keys(DEFAULT_TTL).toSorted()).toEqual([...SOURCES].toSorted());
    expect(FACT_SOURCES).toEqual(['manual', 'extracted']);
  });
});

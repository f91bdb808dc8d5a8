/** What the turns beside a turn add to it. */
import { describe, expect, it } from 'vitest';
import { isQuestion, type Turn, withContext } from '../../../src/records/search/context-evidence.ts';

const turn = (score: number, length = 10, asks = false): Turn => ({ score, length, asks });

describe('a turn', () => {
  it('without neighbours is worth what it says', () => {
    expect(withContext(turn(3), [], [])).toBe(3);
  });

  it('gains from a neighbour, more from the nearer and from the one before', () => {
    const lent = (before: Turn[], after: Turn[]) => withContext(turn(0), before, after);
    expect(lent([turn(1)], [])).toBeGreaterThan(lent([], [turn(1)]));
    expect(lent([], [turn(1)])).toBeGreaterThan(0);
    expect(lent([turn(1)], [])).toBeGreaterThan(lent([turn(0), turn(1)], []));
    expect(lent([turn(0), turn(1)], [])).toBeGreaterThan(0);
    expect(lent([turn(0), turn(0), turn(1)], [])).toBe(0);
  });

  it('gains more from a question before it, which it probably answers', () => {
    const asked = withContext(turn(0), [turn(1, 10, true)], []);
    expect(asked).toBeGreaterThan(withContext(turn(0), [turn(1)], []));
    expect(withContext(turn(0), [], [turn(1, 10, true)])).toBe(withContext(turn(0), [], [turn(1)]));
  });

  it('leans on its neighbours the less the longer it is', () => {
    const gains = [1, 30, 300].map((length) => withContext(turn(0, length), [turn(1)], []));
    expect(gains).toEqual(gains.toSorted((a, b) => b - a));
    expect(gains[0]).toBeGreaterThan(5 * gains[2]!);
  });

  it('gains less from a neighbour that is long, and so about many things', () => {
    const gain = (length: number) => withContext(turn(0), [turn(1, length)], []);
    expect(gain(100)).toBe(gain(10));
    expect(gain(300)).toBeCloseTo(gain(10) / 2, 12);
    expect(withContext(turn(0), [], [turn(1, 300)])).toBeCloseTo(withContext(turn(0), [], [turn(1)]) / 2, 12);
  });

  it('that asks gives way to the one that answers', () => {
    expect(withContext(turn(1, 10, true), [], [])).toBeLessThan(1);
    expect(withContext(turn(1, 10, true), [], [])).toBeGreaterThan(0.7);
  });
});

describe('a question', () => {
  it.each(['Why?', 'Why? ', 'Really?!', '"Why?"', 'どうして？', 'لماذا؟', 'Shall we? 🙂', '(why?)'])(
    'is %j',
    (text) => {
      expect(isQuestion(text)).toBe(true);
    },
  );

  it.each(['Because.', '', 'Why? Because it rains', 'なぜ？雨が降るから', 'Why? 7'])('is not %j', (text) => {
    expect(isQuestion(text)).toBe(false);
  });

  it('is told by the end of a long text', () => {
    expect(isQuestion(`${'word '.repeat(10_000)}?`)).toBe(true);
    expect(isQuestion(`Why? ${'word '.repeat(10_000)}`)).toBe(false);
  });
});

/** Words that are borrowed from the best hits for a second look. */
import { describe, expect, it } from 'vitest';
import { borrowedTerms, expand } from '../../../src/records/search/expansion.ts';
import { countTerms } from '../../../src/records/search/term-counts.ts';

const hit = (content: string, score: number, tags: string[] = []) => ({
  terms: countTerms({ content, category: 'fact', tags }),
  score,
});

describe('borrowed terms', () => {
  it('are those of the best hits that the question lacks and that say something', () => {
    const shares = borrowedTerms([hit('the person from Taiyuan is Wei', 1)], new Map([['taiyuan', 1]]));
    expect([...shares.keys()].toSorted()).toEqual(['person', 'wei']);
  });

  it('are not labels, which many unrelated records share', () => {
    const shares = borrowedTerms([hit('Wei', 1, ['work'])], new Map());
    expect([...shares.keys()]).toEqual(['wei']);
  });

  it('count by the score of their hit, and more when several hits share them', () => {
    const shares = borrowedTerms([hit('apple pear', 3), hit('apple plum', 1)], new Map());
    expect(shares.get('pear')!).toBeCloseTo(3 * shares.get('plum')!, 12);
    expect(shares.get('appl')!).toBeCloseTo(shares.get('pear')! + shares.get('plum')!, 12);
  });

  it('come from four hits at most, and from none without a score', () => {
    const hits = ['one1', 'two2', 'three3', 'four4', 'five5'].map((word) => hit(word, 1));
    expect([...borrowedTerms(hits, new Map()).keys()]).toEqual(['one1', 'two2', 'three3', 'four4']);
    expect(borrowedTerms([hit('apple', 0)], new Map())).toEqual(new Map());
    expect(borrowedTerms([], new Map())).toEqual(new Map());
  });
});

describe('expand', () => {
  it('leaves out what leads nowhere else, and prefers the rare', () => {
    const shares = new Map([
      ['only', 1],
      ['rare', 1],
      ['common', 1],
    ]);
    const frequencies = new Map([
      ['only', 1],
      ['rare', 2],
      ['common', 500],
    ]);
    const expansion = expand(shares, frequencies, 1_000);
    expect([...expansion.keys()]).toEqual(['rare', 'common']);
    expect(expansion.get('rare')!).toBeGreaterThan(5 * expansion.get('common')!);
  });

  it('takes 25 words at most, the same ones every time', () => {
    const names = Array.from({ length: 100 }, (_, i) => `w${String(i).padStart(2, '0')}`);
    const frequencies = new Map(names.map((name) => [name, 3]));
    const forward = expand(new Map(names.map((name) => [name, 1])), frequencies, 1_000);
    const backward = expand(new Map(names.toReversed().map((name) => [name, 1])), frequencies, 1_000);
    expect([...forward.keys()]).toEqual(names.slice(0, 25));
    expect([...backward.keys()]).toEqual(names.slice(0, 25));
  });
});

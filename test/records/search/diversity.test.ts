/** Copies of a text go behind what says something else. */
import { describe, expect, it } from 'vitest';
import { partCopies } from '../../../src/records/search/diversity.ts';
import { countTerms } from '../../../src/records/search/term-counts.ts';

function ordered(texts: readonly string[], wanted = texts.length): string[] {
  const termsOf = (content: string) => countTerms({ content, category: 'fact', tags: [] });
  const { first, copies } = partCopies(texts, termsOf, wanted);
  return [...first, ...copies];
}

/** Whether the second is taken for a copy of the first. */
const isCopy = (a: string, b: string): boolean => ordered([a, b, 'zebra'])[2] === b;

describe('a copy', () => {
  it.each([
    ['the same text', 'Deploys run on Fridays', 'Deploys run on Fridays'],
    ['another spelling', 'Deploys run on Fridays.', 'the deploys RUN on friday!'],
    ['little words', 'Her cat is called Minka', 'The cat of hers was called Minka'],
    [
      'one word more of many',
      'deploys of the billing service run every friday evening from the small laptop beside the printer',
      'deploys of the billing service always run every friday evening from the small laptop beside the printer',
    ],
    ['Chinese with a particle', '我喜欢在早上喝绿茶和咖啡因为很好喝', '我喜欢在早上喝绿茶和咖啡因为很好喝吧'],
  ])('has %s', (_, a, b) => {
    expect(isCopy(a, b)).toBe(true);
  });

  it.each([
    ['a number', 'The meeting takes place in Room 7', 'The meeting takes place in Room 8'],
    ['a number more', 'The meeting takes place in the big room', 'The meeting takes place in the big room 8'],
    [
      'a name',
      "Alice's office is on the upper floor beside the kitchen",
      "Bob's office is on the upper floor beside the kitchen",
    ],
    [
      'a not',
      'The billing tests pass on Windows machines',
      'The billing tests do not pass on Windows machines',
    ],
    [
      'a never',
      'Deploys of the billing service run on Fridays',
      'Deploys of the billing service never run on Fridays',
    ],
    [
      'a word of few',
      'The cat of our neighbours sleeps in the garden',
      'The old cat of our neighbours sleeps in the garden',
    ],
    ['most words', 'green tea in the morning', 'black coffee in the evening'],
    ['a year', 'Revenue grew in 2024', 'Revenue grew in 2025'],
    ['a version', 'Node v22 is installed', 'Node v24 is installed'],
  ])('is not what differs by %s', (_, a, b) => {
    expect(isCopy(a, b)).toBe(false);
  });
});

describe('partCopies', () => {
  it('keeps the order otherwise, loses nothing and adds nothing', () => {
    const texts = ['apple pie', 'Apple pie!', 'plum cake', 'the apple pie', 'plum cakes', 'tea'];
    expect(ordered(texts)).toEqual([
      'apple pie',
      'plum cake',
      'tea',
      'Apple pie!',
      'the apple pie',
      'plum cakes',
    ]);
  });

  it('shows the best of ten copies once among the wanted', () => {
    const copies = Array.from({ length: 10 }, (_, i) => `Deploys run on Fridays${'!'.repeat(i)}`);
    const texts = [...copies, 'plum cake', 'tea with milk'];
    expect(ordered(texts, 3).slice(0, 3)).toEqual([copies[0], 'plum cake', 'tea with milk']);
  });

  it('fills up with copies when there is nothing else', () => {
    expect(ordered(['tea', 'Tea', 'TEA'], 2).slice(0, 2)).toEqual(['tea', 'Tea']);
  });

  it('stops looking once enough were found', () => {
    expect(ordered(['apple', 'plum', 'Apple', 'tea'], 2)).toEqual(['apple', 'plum', 'Apple', 'tea']);
  });

  it('tells texts apart that consist of little words only', () => {
    expect(isCopy('to be or not to be', 'we are what we do')).toBe(false);
  });

  it('does not look at tags and categories', () => {
    const hits = ['x1', 'x2'].map((tag) => ({
      tag,
      terms: countTerms({ content: 'tea', category: tag, tags: [tag] }),
    }));
    const other = { tag: 'y', terms: countTerms({ content: 'plum', category: 'x1', tags: [] }) };
    const { first, copies } = partCopies([...hits, other], (hit) => hit.terms, 3);
    expect([first, copies].map((list) => list.map(({ tag }) => tag))).toEqual([['x1', 'y'], ['x2']]);
  });
});

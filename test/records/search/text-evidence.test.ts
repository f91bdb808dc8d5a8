/** What words say about a question: rarity, BM25 and the covered share. */
import { describe, expect, it } from 'vitest';
import { countTerms, type TermCounts } from '../../../src/records/search/term-counts.ts';
import {
  bm25,
  coverage,
  fullWeight,
  type Held,
  namesIn,
  rarest,
  rarity,
  termsInLabels,
  termsInText,
  type Weights,
  weigh,
  weightOf,
  withNames,
} from '../../../src/records/search/text-evidence.ts';
import { rowOf } from '../../../src/records/search/word-counts.ts';

const terms = (content: string, more: { category?: string; tags?: string[] } = {}) =>
  countTerms({ content, category: 'fact', tags: [], ...more });

const held = (record: TermCounts, weights: Weights): Held => rowOf(record, [...weights.keys()]);
const worth = (weights: Weights): Float64Array => Float64Array.from(weights.values());
const covered = (record: TermCounts, weights: Weights): number =>
  coverage(weightOf(held(record, weights), worth(weights)), fullWeight(weights));

describe('rarity', () => {
  it('falls with every record that holds the word, and stays above zero when all do', () => {
    const values = [0, 1, 10, 100, 1_000].map((frequency) => rarity(frequency, 1_000));
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    expect(new Set(values).size).toBe(5);
    expect(values.at(-1)).toBeGreaterThan(0);
  });

  it('is a number even when more records hold the word than there are', () => {
    expect(rarity(20, 10)).toBeGreaterThan(0);
  });
});

describe('bm25', () => {
  const weights = new Map([
    ['quokka', 3],
    ['tree', 1],
  ]);
  const scored = (record: TermCounts, typicalLength: number): number =>
    bm25(held(record, weights), worth(weights), typicalLength);

  it('adds up the words that are there and nothing else', () => {
    expect(scored(terms('a wombat'), 5)).toBe(0);
    const quokka = scored(terms('one quokka two three'), 5);
    const tree = scored(terms('one tree two three'), 5);
    expect(quokka).toBeCloseTo(3 * tree, 12);
    expect(scored(terms('quokka tree two three'), 5)).toBeCloseTo(quokka + tree, 12);
  });

  it('counts a repeated word more, but less each time', () => {
    const [once, twice, often] = [1, 2, 20].map((n) =>
      scored({ counts: new Map([['quokka', n]]), labels: new Set(), length: 20 }, 20),
    ) as [number, number, number];
    expect(twice).toBeGreaterThan(once);
    expect(often - twice).toBeLessThan(18 * (twice - once));
    expect(often).toBeLessThan(3 * 2.2);
  });

  it('prefers the shorter of two texts', () => {
    const short = scored(terms('quokka'), 10);
    expect(short).toBeGreaterThan(scored(terms(`quokka ${'word '.repeat(30)}`), 10));
  });

  it('reads one row of a table that others have rows in', () => {
    const table = { counts: Uint16Array.of(9, 9, 1, 0, 9, 9), start: 2, length: 4 };
    expect(bm25(table, worth(weights), 5)).toBe(scored(terms('one quokka two three'), 5));
  });
});

describe('coverage', () => {
  it('is the weighted share of the question, whatever the length of the text', () => {
    const weights = new Map([
      ['quokka', 3],
      ['tree', 1],
    ]);
    expect(covered(terms('quokka'), weights)).toBe(0.75);
    expect(covered(terms(`tree ${'word '.repeat(100)}`), weights)).toBe(0.25);
    expect(covered(terms('tree quokka'), weights)).toBe(1);
    expect(covered(terms('neither'), weights)).toBe(0);
  });

  it('of a long question is full with its most telling words', () => {
    const weights = new Map(Array.from({ length: 50 }, (_, i) => [`w${i}`, i < 6 ? 5 : 1] as const));
    expect(fullWeight(weights)).toBe(30);
    expect(covered(terms('w0 w1 w2 w3 w4 w5'), weights)).toBe(1);
    expect(covered(terms('w0 w1 w2'), weights)).toBe(0.5);
  });

  it('of no words is nothing', () => {
    expect(covered(terms('anything'), new Map())).toBe(0);
  });

  it('is lowered by a word that no record holds', () => {
    const weights = weigh(['quokka', 'unheard'], new Map([['quokka', 1]]), 100);
    expect(covered(terms('quokka'), weights)).toBeLessThan(0.5);
  });
});

describe('terms of a record', () => {
  it('include category and tags, which do not make the text longer', () => {
    const { counts, labels, length } = terms('a green quokka', { category: 'zoology', tags: ['green'] });
    expect(length).toBe(3);
    expect([...labels]).toEqual(['zoologi']);
    expect(counts.get('zoologi')).toBe(1);
    expect(counts.get('green')).toBe(1);
  });

  it('are named rarest first when they match', () => {
    const weights = new Map([
      ['tree', 1],
      ['quokka', 3],
      ['absent', 9],
    ]);
    const asked = { terms: [...weights.keys()], worth: Float64Array.from(weights.values()) };
    const row = held(terms('tree quokka'), weights);
    expect(termsInText(row, asked)).toEqual(['quokka', 'tree']);
    expect(termsInLabels(row, asked)).toEqual([]);
  });
});

describe('names', () => {
  it('are words with a capital letter within a sentence', () => {
    expect(namesIn('When did Caroline meet her friend from New York? Where is Tom?')).toEqual(
      ['Caroline', 'New', 'York', 'Tom'].map((name) => name.toLowerCase().replace('caroline', 'carolin')),
    );
    expect(namesIn('Does it work? Yes. What then')).toEqual([]);
    expect(namesIn('')).toEqual([]);
  });

  it('add to what fits besides, and are no answer alone', () => {
    const anna = rowOf(terms('Anna went to the lake'), ['anna', 'paul']);
    expect(withNames(anna, [0], 10, 10)).toBeCloseTo(11.5, 12);
    expect(withNames(anna, [0, 1], 10, 10)).toBeCloseTo(10.75, 12);
    expect(withNames(anna, [1], 10, 10)).toBe(10);
    expect(withNames(anna, [0], 0, 10)).toBe(0);
    expect(withNames(anna, [], 10, 10)).toBe(10);
  });
});

it('a pair of characters that no record holds makes a question hardly less answered', () => {
  const frequencies = new Map([['生日', 1]]);
  const weights = weigh(['生日', '是什', 'word'], frequencies, 30);
  expect(weights.get('是什')).toBeCloseTo(weights.get('word')! / 4, 12);
  expect(weights.get('生日')).toBeGreaterThan(weights.get('是什')!);
});

it('the rarest terms come first, those of one rarity by name, so many at most', () => {
  const weights: Weights = new Map([
    ['b', 1],
    ['a', 1],
    ['d', 3],
    ['c', 2],
    ['e', 1],
  ]);
  expect(rarest(['b', 'a', 'd', 'c', 'e'], weights, 4)).toEqual(['d', 'c', 'a', 'b']);
  expect(rarest(['e', 'b', 'a'], weights, 5)).toEqual(['a', 'b', 'e']);
});

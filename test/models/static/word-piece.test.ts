/** The tokenizer: what becomes a word, what becomes pieces, what vanishes, and that nothing is expensive. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MAX_PIECES, MAX_WORD, WordPiece } from '../../../src/models/static/word-piece.ts';

const vocabulary = readFileSync(
  new URL('../../../models/static/vocabulary.txt', import.meta.url),
  'utf8',
).split('\n');
const wordPiece = new WordPiece(vocabulary);
const pieces = (text: string): string[] => wordPiece.rows(text).map((row) => vocabulary[row]!);

describe('WordPiece', () => {
  it.each([
    ['lower-cases', 'The CAT', ['the', 'cat']],
    ['splits rare words into the longest pieces', 'unaffable', ['una', '##ffa', '##ble']],
    ['strips accents', 'Café naïve Zürich', ['cafe', 'naive', 'zurich']],
    ['strips accents that are characters of their own', 'cafe\u0301', ['cafe']],
    ['splits punctuation', "don't, (really)!", ['don', "'", 't', ',', '(', 'really', ')', '!']],
    ['splits punctuation beyond ASCII', '«yes»—no…', ['«', 'yes', '»', '—', 'no', '.', '.', '.']],
    ['takes ideographs one by one', '東京 is', ['東', '京', 'is']],
    ['splits long numbers', '2016 1234567', ['2016', '123', '##45', '##6', '##7']],
    ['reads full-width and styled letters', 'Ｈｅｌｌｏ 𝐰𝐨𝐫𝐥𝐝', ['hello', 'world']],
    ['drops control and format characters inside words', 'he\u0000l\u200blo\u0007', ['hello']],
    [
      'takes tabs, line breaks and odd blanks as blanks',
      'a\tb\r\nc\u00a0d\u3000e',
      ['a', 'b', 'c', 'd', 'e'],
    ],
    ['drops lone surrogates', 'hi\ud83d there\udc00', ['hi', 'there']],
    ['leaves out emoji, not the word beside them', 'great😀job 👩‍🚀', ['great', 'job']],
    ['leaves out words in an unknown script', 'hello ᚠᚢᚦ world', ['hello', 'world']],
    ['has nothing for nothing', ' \n\t ', []],
  ])('%s', (_, text, expected) => {
    expect(pieces(text)).toEqual(expected);
  });

  it('leaves out words that are longer than any real one', () => {
    expect(pieces(`${'a'.repeat(MAX_WORD + 1)} dog`)).toEqual(['dog']);
    expect(pieces('a'.repeat(MAX_WORD)).length).toBeGreaterThan(0);
  });

  it('reads only the beginning of an endless text', () => {
    expect(wordPiece.rows('dog '.repeat(300_000))).toHaveLength(MAX_PIECES);
    expect(wordPiece.rows('x'.repeat(1_000_000))).toEqual([]);
    expect(wordPiece.rows(`${' '.repeat(1_000_000)}dog`)).toEqual([]);
  });

  it('gives the same pieces from its cache as at first', () => {
    const first = pieces('unaffable keepsakes');
    expect(pieces('unaffable keepsakes')).toEqual(first);
    for (let n = 0; n < 30_000; n += 1) wordPiece.rows(`zq${n}`);
    expect(pieces('unaffable keepsakes')).toEqual(first);
  });
});

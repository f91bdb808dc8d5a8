/** The tokenizer: what becomes a word, what becomes pieces, what vanishes, and that nothing is expensive. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PieceTable } from '../../../src/models/static/piece-table.ts';
import { MAX_PIECES, MAX_WORD, WordPiece } from '../../../src/models/static/word-piece.ts';
import { seededRandom } from '../../../src/testing/index.ts';

const text = readFileSync(new URL('../../../models/static/vocabulary.txt', import.meta.url), 'utf8');
const vocabulary = text.split('\n');
const wordPiece = new WordPiece(new PieceTable(text));
const pieces = (text: string): string[] => wordPiece.rows(text).map((row) => vocabulary[row]!);

/** As the definition says it: the longest piece that fits, then the longest that continues it, and so on. */
function cutByHand(word: string, rows: ReadonlyMap<string, number>): number[] {
  const found: number[] = [];
  for (let start = 0; start < word.length; ) {
    let end = word.length;
    const row = () => rows.get((start === 0 ? '' : '##') + word.slice(start, end));
    while (end > start && row() === undefined) end--;
    if (end === start) return [];
    found.push(row()!);
    start = end;
  }
  return found;
}

describe('PieceTable', () => {
  it.each(['', 'a', 'a\nb', 'a\n', '\n\n\n', '##\n##a', '##'])('has a row for each line of %j', (lines) => {
    const table = new PieceTable(lines);
    expect(table.size).toBe(lines.split('\n').length);
    for (const [row, piece] of lines.split('\n').entries()) {
      if (piece === '' || /^##./.test(piece)) continue;
      const rows: number[] = [];
      table.split(piece, rows);
      expect(rows).toEqual([row]);
    }
  });
});

describe('WordPiece', () => {
  it('cuts every word as the definition says, also those that it does not know', () => {
    const rows = new Map(vocabulary.map((piece, row) => [piece, row]));
    const random = seededRandom(11);
    const letters = [...'etaoinsrhldcumfpgwybvkxjqz0123456789', '\u0663', 'я'];
    const words = vocabulary.filter((piece) => /^[a-z0-9]+$/.test(piece)).filter((_, i) => i % 7 === 0);
    for (let i = 0; i < 3_000; i++) {
      words.push(Array.from({ length: 1 + random.below(20) }, () => random.pick(letters)).join(''));
    }
    for (const word of words) {
      const expected = word.includes('я') ? [] : cutByHand(word, rows);
      expect([word, wordPiece.rows(word)]).toEqual([word, expected]);
    }
  });

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
    ['has nothing for marks alone, of any script', '?! … 。「」', []],
    [
      'leaves out scripts of which it knows the letters only',
      'hello мир 안녕 and שלום ถนน',
      ['hello', 'and'],
    ],
    ['keeps ideographs, and leaves out what stands between them', '東京の車は', ['東', '京', '車']],
    ['leaves a word out that is partly of another script', 'кeepsake note', ['note']],
    ['keeps a Greek letter that stands alone', 'α particles', ['α', 'particles']],
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

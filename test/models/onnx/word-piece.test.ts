/** Pieces of words by the rules of BERT's own tokenizer, over a small vocabulary. */
import { describe, expect, it } from 'vitest';
import { createWordPiece } from '../../../src/models/onnx/word-piece.ts';

const PIECES = [
  '[PAD]', '[UNK]', '[CLS]', '[SEP]', 'un', '##aff', '##able', 'play', '##ing', '##s', 'cafe', 'a', '##a', 'b', 'c',
  '$', '5', '.', '!', '中', '文', 'σ', 'ος', 'i', '##stanbul', 'istanbul', '😀', '日', '本', 'の', '##り', '[', ']', 'cls',
]; // biome-ignore format: one list
const numbers = Object.fromEntries(PIECES.map((piece, number) => [piece, number]));
const wordPiece = createWordPiece(numbers);

function pieces(text: string, limit = 512): string {
  return wordPiece
    .encode(text, limit)
    .map((number) => PIECES[number])
    .join(' ');
}

describe('encode', () => {
  it.each([
    ['unaffable', '[CLS] un ##aff ##able [SEP]'],
    ['Plays  PLAYING\tplay', '[CLS] play ##s play ##ing play [SEP]'],
    ['Café Cafe\u0301', '[CLS] cafe cafe [SEP]'],
    ['$5.5!', '[CLS] $ 5 . 5 ! [SEP]'],
    ['playx', '[CLS] [UNK] [SEP]'],
    ['中文', '[CLS] 中 文 [SEP]'],
    ['日本のり', '[CLS] 日 本 の ##り [SEP]'],
    ['İstanbul', '[CLS] istanbul [SEP]'],
    ['a\u0000\u200bb', '[CLS] [UNK] [SEP]'],
    ['a\u00a0b\u3000c', '[CLS] a b c [SEP]'],
    ['😀', '[CLS] 😀 [SEP]'],
    ['\ud83d', '[CLS] [SEP]'],
    ['a'.repeat(100), `[CLS] a${' ##a'.repeat(99)} [SEP]`],
    ['a'.repeat(101), '[CLS] [UNK] [SEP]'],
    ['', '[CLS] [SEP]'],
  ])('%j', (text, expected) => expect(pieces(text)).toBe(expected));

  it('never takes text for a mark of the model', () => {
    expect(pieces('[CLS]')).toBe('[CLS] [ cls ] [SEP]');
  });

  it('ends with its mark, also when the text is cut', () => {
    expect(pieces('a b c a b c', 5)).toBe('[CLS] a b c [SEP]');
    expect(pieces('playing', 3)).toBe('[CLS] play [SEP]');
    expect(wordPiece.encode('a '.repeat(1_000_000), 512)).toHaveLength(512);
  });
});

it('refuses a vocabulary without its marks', () => {
  expect(() => createWordPiece({ a: 0 })).toThrow('[UNK]');
});

/** A stand-in for a model that makes a vector for each token: words that stand in one group have the same vector. */
import type { TextInPlace, TokenModel } from '../../../src/ports/token-model.ts';

const GROUPS: readonly (readonly string[])[] = [
  ['car', 'vehicle', 'automobile'],
  ['purchased', 'bought', 'acquired'],
  ['red', 'crimson'],
];
const WORDS = /\p{L}+/gu;

export interface WordTokenModel extends TokenModel {
  mode: 'works' | 'fails' | 'stands still';
  /** What it was asked to read, in order. */
  readonly asked: TextInPlace[];
  closed: boolean;
}

/** One dimension for each group, the others for words by their letters. */
function vectorOf(word: string): number[] {
  const vector = Array.from({ length: 8 }, () => 0);
  const group = GROUPS.findIndex((words) => words.includes(word));
  const letters = [...word].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  vector[group >= 0 ? group : GROUPS.length + (letters % (8 - GROUPS.length))] = 127;
  return vector;
}

export function wordTokenModel(id = 'test/words@8'): WordTokenModel {
  const model: WordTokenModel = {
    id,
    dimensions: 8,
    passage: 16,
    mode: 'works',
    asked: [],
    closed: false,
    async encode(texts, signal) {
      if (model.mode === 'fails') throw new Error('the token model is out of order');
      if (model.mode === 'stands still') {
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('stopped')));
        });
      }
      model.asked.push(...texts);
      return texts.map(({ text }) =>
        Int8Array.from((text.toLowerCase().match(WORDS) ?? []).flatMap((word) => vectorOf(word))),
      );
    },
    async close() {
      model.closed = true;
    },
  };
  return model;
}

/** Texts in which few words are everywhere and most are rare, as in real ones. */
import { textMaker } from './measure.ts';

const VOCABULARY = 30_000;

export function naturalTexts(seed: number): (words?: number) => string {
  const word = textMaker(7);
  const vocabulary = new Set<string>();
  while (vocabulary.size < VOCABULARY) vocabulary.add(word(2).replace(' ', ''));
  const words = [...vocabulary];
  let state = seed;
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return (length = 15) =>
    Array.from({ length }, () => words[Math.floor(VOCABULARY ** next()) - 1] ?? words[0]).join(' ');
}

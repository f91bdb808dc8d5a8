/** Texts that can be told apart and checked: each holds a word that no other text has. */
import { createHash } from 'node:crypto';
import type { Chance } from './chance.ts';

const WORDS = [
  'harbour',
  'violin',
  'lemon',
  'granite',
  'letter',
  'window',
  'copper',
  'meadow',
  'signal',
  'ferry',
];

/** The label must come from one generator only; it is the word by which the text is found again. */
export function makeText(label: string, chance: Chance): string {
  const length = chance.next() < 0.05 ? chance.between(500, 2_000) : chance.between(3, 40);
  const words = Array.from({ length }, () => chance.pick(WORDS));
  return `${label} ${words.join(' ')}`;
}

export function labelOf(text: string): string {
  return text.slice(0, text.indexOf(' '));
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

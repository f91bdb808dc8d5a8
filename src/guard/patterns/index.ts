/** Every pattern of the guard. */
import type { Pattern, Phrase } from '../pattern.ts';
import { EXTRACTIONS } from './extraction.ts';
import { JAILBREAKS } from './jailbreaks.ts';
import { OVERRIDES } from './overrides.ts';
import { ROUNDABOUT } from './roundabout.ts';
import { SHAPES } from './shapes.ts';
import { STEERING } from './steering.ts';

export { LEXICON } from './lexicon.ts';
export { SHAPES };
export const PHRASES: readonly Phrase[] = [
  ...OVERRIDES,
  ...JAILBREAKS,
  ...EXTRACTIONS,
  ...ROUNDABOUT,
  ...STEERING,
];
export const PATTERNS: readonly Pattern[] = [...PHRASES, ...SHAPES];

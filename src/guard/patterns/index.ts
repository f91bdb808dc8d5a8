/** Every pattern of the guard. */
import type { Pattern, Phrase } from '../pattern.ts';
import type { Lexicon } from '../phrases.ts';
import { EXTRACTIONS } from './extraction.ts';
import { JAILBREAKS } from './jailbreaks.ts';
import { LANGUAGES } from './languages.ts';
import { LEXICON as ENGLISH_FIRST } from './lexicon.ts';
import { LANGUAGE_LEXICON } from './lexicon-languages.ts';
import { OVERRIDES } from './overrides.ts';
import { ROUNDABOUT } from './roundabout.ts';
import { SHAPES } from './shapes.ts';
import { STEERING } from './steering.ts';

export { SHAPES };
export const LEXICON: Lexicon = { ...ENGLISH_FIRST, ...LANGUAGE_LEXICON };
export const PHRASES: readonly Phrase[] = [
  ...OVERRIDES,
  ...JAILBREAKS,
  ...EXTRACTIONS,
  ...ROUNDABOUT,
  ...STEERING,
  ...LANGUAGES,
];
export const PATTERNS: readonly Pattern[] = [...PHRASES, ...SHAPES];

/** Every pattern of the guard. */
import type { Pattern, Phrase } from '../pattern.ts';
import type { Lexicon } from '../phrases.ts';
import { ADDRESSING } from './addressing.ts';
import { EXTRACTIONS } from './extraction.ts';
import { JAILBREAKS } from './jailbreaks.ts';
import { LANGUAGES } from './languages.ts';
import { LEXICON as ENGLISH_FIRST } from './lexicon.ts';
import { LANGUAGE_LEXICON } from './lexicon-languages.ts';
import { OVERRIDES } from './overrides.ts';
import { PRETEXTS } from './pretexts.ts';
import { ROUNDABOUT } from './roundabout.ts';
import { SHAPES } from './shapes.ts';
import { STEERING } from './steering.ts';
import { TAKEOVER } from './takeover.ts';

export { SHAPES };
export const LEXICON: Lexicon = { ...ENGLISH_FIRST, ...LANGUAGE_LEXICON };
export const PHRASES: readonly Phrase[] = [
  ...OVERRIDES,
  ...JAILBREAKS,
  ...EXTRACTIONS,
  ...ROUNDABOUT,
  ...STEERING,
  ...LANGUAGES,
  ...ADDRESSING,
  ...PRETEXTS,
  ...TAKEOVER,
];
export const PATTERNS: readonly Pattern[] = [...PHRASES, ...SHAPES];

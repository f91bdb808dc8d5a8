/** Every pattern of the guard. */
import type { Pattern, Phrase, Shape } from '../pattern.ts';
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
import { SHAPES as WEAKER_SHAPES } from './shapes.ts';
import { STEERING } from './steering.ts';
import { OWN_FORMATS, STRUCTURE } from './structure.ts';
import { TAKEOVER } from './takeover.ts';

export { OWN_FORMATS };
export const SHAPES: readonly Shape[] = [...STRUCTURE, ...WEAKER_SHAPES];
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

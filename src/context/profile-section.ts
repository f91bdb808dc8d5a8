/** Chooses the section of a profile for a memory, by category or else by its words. */
import type { MemoryRecord } from '../kernel/record.ts';

export const PROFILE_SECTIONS = ['who', 'preferences', 'projects', 'people'] as const;
export type ProfileSection = (typeof PROFILE_SECTIONS)[number];

const BY_CATEGORY: readonly (readonly [ProfileSection, RegExp])[] = [
  ['preferences', /^(preference|instruction|like|dislike|style|habit)s?$/i],
  ['projects', /^(project|goal|plan|task|work in progress|decision|deadline)s?$/i],
  ['people', /^(relationship|person|people|family|friend|colleague|contact|team)s?$/i],
  ['who', /^(who|identity|profile|biography|personal|health|location|job|work|education)$/i],
];

const words = (list: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${list})(?![\\p{L}\\p{N}])`, 'iu');

/** A request, as people put it: "Please reply in a formal tone", "Do not call before noon". */
const REQUEST = /^(?:please|do not|don['’]t|always|avoid)\s/iu;

/** In this order: "likes to work with her sister" is a preference first. */
const BY_WORDS: readonly (readonly [ProfileSection, RegExp])[] = [
  ['preferences', REQUEST],
  [
    'preferences',
    words(
      "prefers?|likes?|loves?|hates?|dislikes?|enjoys?|favou?rite|rather|always wants?|never wants?|doesn't like|does not like",
    ),
  ],
  [
    'projects',
    words(
      'projects?|working on|works on|building|builds|plans? to|planning|deadline|launch(?:es|ing)?|thesis|wants? to|goal|is writing|learning|training for|preparing|migrating|renovating|organi[sz]ing|applying for',
    ),
  ],
  [
    'people',
    words(
      'wife|husband|partner|spouse|married|son|sons|daughters?|child|children|kids?|sisters?|brothers?|mother|father|mum|mom|dad|parents?|nieces?|nephews?|aunt|uncle|cousins?|friends?|colleagues?|boss|manager|teacher|neighbou?rs?|reports to|flatmate|fianc[eé]e?',
    ),
  ],
];

export function sectionOf({ category, content }: Pick<MemoryRecord, 'category' | 'content'>): ProfileSection {
  const named = BY_CATEGORY.find(([, pattern]) => pattern.test(category.trim()));
  const said = named ?? BY_WORDS.find(([, pattern]) => pattern.test(content));
  return said?.[0] ?? 'who';
}

/** Whose word counts more: the order of origins, and how categories are compared. */
import { ORIGINS, type Origin } from './record.ts';

/** From the most to the least trusted. */
export const TRUST_ORDER: readonly Origin[] = ['user', 'agent', 'import', 'tool', 'web'];

const rank = new Map(ORIGINS.map((origin) => [origin, TRUST_ORDER.indexOf(origin)]));

export function isLessTrusted(origin: Origin, than: Origin): boolean {
  return rank.get(origin)! > rank.get(than)!;
}

/** Neither a person nor an agent of the workspace: what they wrote is content, never an order. */
export function isStranger(origin: Origin): boolean {
  return isLessTrusted(origin, 'agent');
}

/** Characters that no reader sees: format characters, variation selectors, fillers and combining joiners. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u115f\u1160\u3164\uffa0]/gu;

/** The form in which categories are compared: `Ｉnstruc\u200btion` is `instruction`. */
export function foldCategory(category: string): string {
  return category
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .trim()
    .replace(/\s+/gu, ' ');
}

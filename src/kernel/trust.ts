/** The trust order of origins, and how categories are compared. */
import { type MemoryRecord, ORIGINS, type Origin } from './record.ts';

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

/** Documents are shared because somebody asked for it, and follow their files. */
export const DOCUMENT_SOURCES: readonly string[] = ['knowledge', 'file_index'];

type Endorsed = Pick<MemoryRecord, 'origin' | 'pinned' | 'category' | 'scope' | 'source'>;

/**
 * Whose word it takes to change a record. A text from outside that is pinned, an instruction or shared got there on the word of
 * a person or an agent, who answered for this text; with another text of a stranger, the stranger would have pinned it.
 */
export function requiredTrust({ origin, pinned, category, scope, source }: Endorsed): Origin {
  if (!isStranger(origin)) return origin;
  const isShared = scope === 'swarm' && !DOCUMENT_SOURCES.includes(source);
  return pinned || isShared || foldCategory(category) === 'instruction' ? 'agent' : origin;
}

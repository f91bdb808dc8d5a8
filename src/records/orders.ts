/** Recognises instructions and preferences, by category or wording: they apply to more tasks than those that share their words. */
import type { MemoryRecord, Source } from '../kernel/record.ts';
import { isHearsay, STANDING_CATEGORIES } from './standing.ts';

/** Who speaks, a date, and words that lead up to something: they come before an order. */
const LEAD = String.raw`^[\s"'“«(\[]{0,4}(?:[^\n:：]{0,40}[:：]\s+)?(?:(?:please|ok|okay|and|also|so|but|hey|hi|bitte|por favor|请|請)[,!，]?\s*){0,2}`;

/** In the languages that many write in; each of them only where a text begins with it. */
const ORDERS = [
  // "Always loved hiking" and "Never been there" tell something; what follows an order is what to do.
  String.raw`(?:always|never)(?!\s+(?:\p{L}+ed|been|seen|had|thought|knew|felt|got|went|a|an|the|in|on|my|our)\b)`,
  `from now on|in (?:the )?future|every time|when(?:ever)? i (?:ask|say|mention|want|need)`,
  `make sure (?:to|you|that)|remember to|do not|don['’]t|avoid`,
  `immer|nie(?:mals)?|ab (?:jetzt|sofort)|in zukunft|wenn ich (?:frage|sage|nach)`,
  `toujours|jamais|ne jamais|désormais|à partir de maintenant|à l['’]avenir`,
  `siempre|nunca|a partir de ahora|de ahora en adelante`,
  `sempre|mai|d['’]ora in poi|a partir de agora`,
  `altijd|nooit|vanaf nu`,
];
const ORDER = new RegExp(`${LEAD}(?:${ORDERS.join('|')})(?![\\p{L}\\p{N}])`, 'u');
/** Words of scripts without spaces end where the next begins. */
const PAIRED_ORDER = new RegExp(
  `${LEAD}(?:总是|始终|永远|以后|从现在开始|不要|切勿|總是|從現在開始|必ず|常に|今後は|絶対に|항상|앞으로)`,
  'u',
);

const PREFERENCES = [
  String.raw`\bi(?:['’]d| would| do)?(?: \w+ly| much)? (?:prefer|rather|favou?r)\b`,
  String.raw`\bmy preference\b`,
  String.raw`\bich (?:bevorzuge|ziehe .{1,40} vor)\b|\bmir ist .{1,40} lieber\b`,
  String.raw`\bje préfère\b|\bprefiero\b|\bprefiro\b|\bpreferisco\b`,
  '我更?(?:喜欢|偏好|喜歡)|我宁愿|のほうがいい|の方が好き|선호',
];
const PREFERENCE = new RegExp(PREFERENCES.join('|'), 'u');

/** What is ordered stands at the beginning, and what is preferred in the first sentences. */
const OPENING = 400;

/** Whether a text orders something for all times to come, or says what somebody prefers. */
export function readsLikeOrder(content: string): boolean {
  // In small letters, and patterns of small letters: one that has to look for both takes twice as long to make, 3 ms of the first search.
  const opening = content.slice(0, OPENING).toLowerCase();
  return ORDER.test(opening) || PAIRED_ORDER.test(opening) || PREFERENCE.test(opening);
}

/** A sentence of a document or of source code is addressed to its readers, not to the agent. */
const QUOTED: readonly Source[] = ['knowledge', 'file_index'];

/** Whether it is meant for tasks that do not name it. Not what a page, a tool or a document says. */
export function isOrder(record: Pick<MemoryRecord, 'category' | 'content' | 'origin' | 'source'>): boolean {
  if (isHearsay(record) || QUOTED.includes(record.source)) return false;
  return (
    STANDING_CATEGORIES.some((category) => category === record.category) || readsLikeOrder(record.content)
  );
}

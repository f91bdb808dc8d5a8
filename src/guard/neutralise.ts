/** Neutralizes stored text for prompts, so that it cannot close its fence or begin a turn. */
import type { Origin } from '../kernel/record.ts';
import { judge } from './judge.ts';

const UNSEEN = '\\u00ad\\u034f\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff';
/** The fence in any spelling that a model might take for it: capitals, spaces, characters that nobody sees. */
const FENCE = new RegExp(
  `[<＜﹤][\\s/${UNSEEN}]{0,16}${[...'memory'].join(`[${UNSEEN}]{0,4}`)}[-_\\s${UNSEEN}‐-―]{0,8}${[...'context'].join(`[${UNSEEN}]{0,4}`)}[^<>＜＞]{0,200}[>＞﹥]?`,
  'giu',
);
/** Markers with which chat templates begin and end a turn. */
const TURNS = /<\|[\w ]{1,32}\|?>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:start|end)_of_turn>/gi;
const TAGS = /[\u{e0000}-\u{e007f}]/gu;
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;
const HARMLESS: Readonly<Record<string, string>> = {
  '<': '‹',
  '>': '›',
  '[': '⟦',
  ']': '⟧',
  '＜': '‹',
  '＞': '›',
  '﹤': '‹',
  '﹥': '›',
};

function disarm(marker: string): string {
  return marker.replace(/[<>[\]＜＞﹤﹥]/g, (bracket) => HARMLESS[bracket]!);
}

/** The same text for a reader, but no marker in it means anything. Doing it again changes nothing. */
export function neutralise(text: string): string {
  return text.replace(TAGS, '').replace(REORDERING, '').replace(FENCE, disarm).replace(TURNS, disarm);
}

const LETTER = /\p{L}/u;
/** Far enough to see a word, and not so far that many markers in one line take long. */
const LOOKED_BACK = 200;

/** A marker that stands behind words in its line is spoken of; one that begins a line is meant. */
function isMention(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - LOOKED_BACK), at);
  return LETTER.test(before.slice(before.lastIndexOf('\n') + 1));
}

/** The text of a person, in which markers that he only speaks of mean nothing any more. */
export function neutraliseMentions(text: string): string {
  const mention = (marker: string, ...rest: unknown[]): string => {
    const at = rest.find((value) => typeof value === 'number') as number;
    return isMention(text, at) ? disarm(marker) : marker;
  };
  // One after the other is safe: a marker keeps its length.
  return text.replace(FENCE, mention).replace(TURNS, mention);
}

/** Whether a text would be refused as memory today; what was stored before may have been. */
export function isTainted(text: string, origin: Origin = 'web'): boolean {
  return neutralise(text) !== text || judge(text, origin).isRefused;
}

/** Searches loaded messages without an index: case-insensitive, any script, with positions in the text. */
import { type ConversationMessage, contentText } from './message.ts';

/** A half-open range of UTF-16 code units of `contentText(message.content)`; it never splits a character. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface MessageMatch {
  readonly message: ConversationMessage;
  /** Position in the list that was searched. */
  readonly index: number;
  /** Where it was found, in order, at most `MAX_HITS` of them. */
  readonly hits: readonly TextRange[];
  /** The first hit with a little of what stands around it. */
  readonly excerpt: TextRange & { readonly text: string };
}

export const MAX_HITS = 100;
const MARGIN = 80;

/** Messages that contain all words of the query, in any order, whatever their case and accents. */
export function searchMessages(messages: readonly ConversationMessage[], query: string): MessageMatch[] {
  const words = [...new Set(fold(query, 'loose').text.split(' '))].filter((word) => word !== '');
  return matches(messages, words, 'loose');
}

/** Messages that contain the keyword as it is, whatever its case. */
export function searchKeyword(messages: readonly ConversationMessage[], keyword: string): MessageMatch[] {
  const folded = fold(keyword, 'case').text;
  return matches(messages, folded === '' ? [] : [folded], 'case');
}

function matches(messages: readonly ConversationMessage[], words: string[], level: Level): MessageMatch[] {
  if (words.length === 0) return [];
  return messages.flatMap((message, index) => {
    const text = contentText(message.content);
    const folded = fold(text, level);
    if (!words.every((word) => folded.text.includes(word))) return [];
    const hits = words
      .flatMap((word) => rangesOf(folded, word))
      .sort((a, b) => a.start - b.start || a.end - b.end)
      .slice(0, MAX_HITS);
    return [{ message, index, hits, excerpt: excerptAround(text, hits[0]!) }];
  });
}

function rangesOf(folded: Folded, word: string): TextRange[] {
  const ranges: TextRange[] = [];
  let from = folded.text.indexOf(word);
  while (from !== -1 && ranges.length < MAX_HITS) {
    const last = from + word.length;
    ranges.push({ start: folded.starts?.[from] ?? from, end: folded.ends?.[last - 1] ?? last });
    from = folded.text.indexOf(word, last);
  }
  return ranges;
}

function excerptAround(text: string, hit: TextRange): MessageMatch['excerpt'] {
  const start = wholeCharacter(text, Math.max(0, hit.start - MARGIN));
  const end = wholeCharacter(text, Math.min(text.length, hit.end + MARGIN));
  return { start, end, text: text.slice(start, end) };
}

/** The same place, or one before it when it would fall between the halves of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  return at > 0 && at < text.length && text.codePointAt(at - 1)! > 0xffff ? at - 1 : at;
}

type Level = 'case' | 'loose';

interface Folded {
  readonly text: string;
  /** Where each code unit of the folded text comes from; absent when every unit represents itself. */
  readonly starts?: Uint32Array;
  readonly ends?: Uint32Array;
}

/** A letter with its marks, or a run of Korean letters that may form syllables; bounded, since marks can be piled up. */
const UNIT = /[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]{1,64}|\P{M}\p{M}{0,32}|\p{M}{1,32}/gu;
/** Accents and points that readers leave out; vowel signs and the Japanese voicing mark are letters and stay. */
const ACCENTS = /[[\p{M}&&[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Cyrillic}]]--[\u3099\u309a]]/gv;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

function fold(text: string, level: Level): Folded {
  if (/^[\x00-\x7f]*$/.test(text)) return { text: text.toLowerCase().replace(/\s/g, ' ') };
  const known = new Map<string, string>();
  const pieces: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: unit, index } of text.matchAll(UNIT)) {
    let folded = known.get(unit);
    if (folded === undefined) {
      folded = foldUnit(unit, level);
      known.set(unit, folded);
    }
    pieces.push(folded);
    for (let i = 0; i < folded.length; i++) {
      starts.push(index);
      ends.push(index + unit.length);
    }
  }
  return { text: pieces.join(''), starts: Uint32Array.from(starts), ends: Uint32Array.from(ends) };
}

/**
 * Full case folding by way of the capital: ß, ẞ and SS meet in ss, both sigmas in σ, and all four Turkish i in i,
 * because nobody can say which language a message is in.
 */
function foldUnit(unit: string, level: Level): string {
  if (/^\s$/.test(unit)) return ' ';
  const plain = unit.normalize('NFKD').replace(INVISIBLE, '');
  const bare = level === 'loose' ? plain.replace(ACCENTS, '') : plain;
  return bare.toLowerCase().toUpperCase().toLowerCase().replaceAll('i\u0307', 'i').normalize('NFC');
}

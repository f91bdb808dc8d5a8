/** Text → search terms: one analysis for indexing and querying, so that both always agree, in every driver. */
import { stemOfScript, withoutForeignEnding, withoutUmlautEnding } from './light-stems.ts';
import { stem } from './stem.ts';
import {
  ambiguousIn,
  isEmptyPair,
  isOwnWord,
  languageOf,
  STOP_WORDS,
  withoutParticle,
} from './stop-words.ts';

/** Raise this whenever `analyze` changes: stores rebuild their text index when theirs is older. */
export const ANALYSIS_VERSION = 3;

/** Scripts written without spaces, or whose words carry long endings: matched by pairs of characters. */
const PAIRED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々`;
const TOKEN = new RegExp(
  String.raw`([${PAIRED}\p{M}]+)|([\p{L}\p{N}\p{M}\p{Co}]+)|(\p{Extended_Pictographic}|\p{RI}{2})`,
  'gu',
);
const PAIRED_RUN = new RegExp(String.raw`([${PAIRED}][${PAIRED}\p{M}]*)`, 'u');
const ASCII = /^[a-z0-9]+$/;
const MARKS = /\p{M}+/gu;
/** A term longer than this is a blob (base64, a key), not a word; its head still finds it. */
const MAX_TERM = 64;

/** Stemming is the dear part of the analysis, and texts repeat their words. */
const stems = new Map<string, string>();
const MAX_STEMS = 50_000;

/** Longer ones are slices of their text inside the engine, and as keys they would keep all of it in memory. */
const LONGEST_CACHED = 12;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

const stemOf = (word: string): string => withoutForeignEnding(stem(word));

function stemmed(word: string): string {
  if (word.length > LONGEST_CACHED) return stemOf(word.length > MAX_TERM ? headOf(word) : word);
  // Numbers and names with numbers are many, and have no stem; they would crowd out the words.
  if (isDigit(word.charCodeAt(word.length - 1))) return word;
  let out = stems.get(word);
  if (out === undefined) {
    out = stemOf(word);
    if (stems.size >= MAX_STEMS) stems.clear();
    stems.set(word, out);
  }
  return out;
}

/** Twice as many code units as characters at most, so that a word of a megabyte is not taken apart for its head. */
function headOf(word: string): string {
  return [...word.slice(0, 2 * MAX_TERM)].slice(0, MAX_TERM).join('').toWellFormed();
}

type Visit = (term: string, word: string) => void;

/** In place of the word: one character that is one. */
const OWN_WORD = ' ';

function visitPairs(run: string, visit: Visit): void {
  const characters = [...run];
  for (let i = 0; i < characters.length; i++) {
    visit(characters[i]!, characters[i]!);
    if (i + 1 < characters.length) visit(characters[i]! + characters[i + 1]!, '');
  }
}

/** The same for a question: particles and endings are left out, and a character that is a word by itself is one. */
function visitAskedPairs(run: string, visit: Visit): void {
  const isKorean = /^\p{Script=Hangul}/u.test(run);
  const characters = [...(isKorean ? withoutParticle(run) : run)];
  for (let i = 0; i < characters.length; i++) {
    const [before, character, after] = [characters[i - 1], characters[i]!, characters[i + 1]];
    const isOwn = isKorean ? characters.length === 1 : isOwnWord(before, character, after);
    visit(character, isOwn ? OWN_WORD : character);
    if (after !== undefined && !isEmptyPair(character, after)) visit(character + after, '');
  }
}

/** Letters that no accent can be taken from, as they are written where a keyboard lacks them. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
};
const SPELLED_LETTER = new RegExp(`[${Object.keys(SPELLED).join('')}]`, 'gu');

/** As the lists of words that say nothing have it. */
const wordOfScript = (word: string, bare: string): string =>
  /\p{Script=Arabic}/u.test(bare) ? bare.replaceAll('ى', 'ي') : word;

function visitWord(word: string, visit: Visit, pairs: typeof visitPairs): void {
  if (ASCII.test(word)) {
    visit(stemmed(word), word);
    return;
  }
  const bare = word.normalize('NFD').replace(MARKS, '').normalize('NFC');
  const ofScript = stemOfScript(word, bare);
  if (ofScript !== undefined) {
    visit(headOf(ofScript), wordOfScript(word, bare));
    return;
  }
  const spelled = bare.replace(SPELLED_LETTER, (letter) => SPELLED[letter]!);
  const plain = withoutUmlautEnding(word, spelled);
  // A run may mix scripts ("iPhoneを"); split where the paired scripts begin and end.
  for (const part of plain.split(PAIRED_RUN)) {
    if (part === '') continue;
    if (PAIRED_RUN.test(part)) pairs(part, visit);
    else visit(stemmed(part), part);
  }
}

/** Spelled out, because a text index takes symbols for separators. A flag is a pair of letters. */
function emojiTerm(emoji: string): string {
  return `emoji${Array.from(emoji, (part) => part.codePointAt(0)!.toString(16)).join('')}`;
}

const BEYOND_ASCII = /[^\u0000-\u007f]/;
/** Symbols that NFKC spells out would grow together with the word beside them: "Keepsake™", "1½", "₨100". */
const SYMBOL = /(?!\p{RI})[\p{So}\p{Sc}]|[\u00bc-\u00be\u2150-\u215f\u2189]/gu;

/** Sorting a long run of marks takes quadratic time, and no language stacks more than a few. */
const MARK_FLOOD = /(\p{M}{16})\p{M}+/gu;

/** One spelling for what a reader takes for the same: full-width forms, ligatures, capitals, hyphenation, final sigma. */
function fold(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase();
  const spaced = text.replaceAll('\u00ad', '').replace(MARK_FLOOD, '$1').replace(SYMBOL, ' $& ');
  return spaced.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
}

/** Most texts: their words are runs of letters and digits, which need no table of all scripts. */
function visitAscii(folded: string, visit: Visit): void {
  let start = -1;
  for (let i = 0; i <= folded.length; i++) {
    const code = folded.charCodeAt(i);
    const isInWord = (code >= 97 && code <= 122) || isDigit(code);
    if (isInWord) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      const word = folded.slice(start, i);
      visit(stemmed(word), word);
      start = -1;
    }
  }
}

function visitTerms(folded: string, visit: Visit, pairs = visitPairs): void {
  if (!BEYOND_ASCII.test(folded)) {
    visitAscii(folded, visit);
    return;
  }
  for (const match of folded.matchAll(TOKEN)) {
    if (match[3] !== undefined) visit(emojiTerm(match[3]), match[3]);
    else if (match[1] !== undefined) pairs(match[1].replace(MARKS, ''), visit);
    else visitWord(match[2]!, visit, pairs);
  }
}

/** Every term of a text in order, repeats included. */
export function analyze(text: string): string[] {
  const out: string[] = [];
  visitTerms(fold(text), (term) => out.push(term));
  return out;
}

/** A question longer than this is cut: nobody asks with a book, and its first pages say what it is about. */
const MAX_QUERY = 20_000;

/** What an apostrophe leaves of a word, as in "Anna's", "don't" or "l'eau", says nothing by itself. */
const CLIPPED =
  /(?<=[\p{L}\p{M}])['’]\p{L}(?![\p{L}\p{N}\p{M}\p{Co}])|(?<![\p{L}\p{N}\p{M}\p{Co}])\p{L}['’](?=\p{L})/gu;

/** Distinct terms of a question, without stop words unless nothing else is left, at most `limit`. */
export function queryTerms(query: string, limit = 64): string[] {
  const asked = fold(query.slice(0, MAX_QUERY).toWellFormed()).replace(CLIPPED, ' ');
  const all = new Map<string, string>();
  const words = new Set<string>();
  visitTerms(
    asked,
    (term, word) => {
      if (!all.has(term) || word === OWN_WORD) all.set(term, word);
      words.add(word);
    },
    visitAskedPairs,
  );
  const ofLanguage = ambiguousIn(words);
  const telling = [...all].filter(([, word]) => !STOP_WORDS.has(word) && !ofLanguage.has(word));
  if (telling.length === 0 && all.size === 0) return onlyPairs(asked, limit);
  const chosen = telling.length > 0 ? telling : [...all];
  // One character of a paired script matches nearly everything; keep it only when it is a word, or the whole question.
  const hasLonger = chosen.some(([term, word]) => word === OWN_WORD || [...term].length > 1);
  const kept = hasLonger
    ? chosen.filter(([term, word]) => word === OWN_WORD || !isPairedCharacter(term))
    : chosen;
  return kept.slice(0, limit).map(([term]) => term);
}

/** Whether a capital letter says nothing: in German, every noun has one. */
export function hasLargeNouns(query: string): boolean {
  const words = new Set<string>();
  visitTerms(fold(query.slice(0, MAX_QUERY).toWellFormed()), (_, word) => words.add(word));
  return languageOf(words) === 'german';
}

/** Of a question that holds nothing but endings and words that ask. */
function onlyPairs(asked: string, limit: number): string[] {
  const all = new Set<string>();
  visitTerms(asked, (term) => all.add(term));
  const pairs = [...all].filter((term) => !isPairedCharacter(term));
  return (pairs.length > 0 ? pairs : [...all]).slice(0, limit);
}

export function isPairedCharacter(term: string): boolean {
  return term.length <= 2 && [...term].length === 1 && PAIRED_RUN.test(term);
}

/** Two characters of a script that is matched by pairs. */
export function isPair(term: string): boolean {
  return term.length <= 4 && PAIRED_RUN.test(term) && [...term].length === 2;
}

/** Stop words and their terms by initial, analysed when a term has it: a process that searches once asks about a few terms. */
const stopTerms = new Map<string, ReadonlySet<string>>();
let stopWords: Readonly<Record<string, readonly string[]>> | undefined;

/** All words of other scripts have one group, because analysis may change how they begin. */
const initialOf = (word: string): string => (ASCII.test(word) ? word[0]! : 'other');

function isStopTerm(term: string): boolean {
  const initial = initialOf(term);
  let terms = stopTerms.get(initial);
  if (terms === undefined) {
    stopWords ??= Object.groupBy(STOP_WORDS, initialOf) as Record<string, string[]>;
    terms = new Set(stopWords[initial]?.flatMap((word) => [word, ...analyze(word)]));
    stopTerms.set(initial, terms);
  }
  return terms.has(term);
}

/** Whether a term says anything about what a text is about. */
export function isTelling(term: string): boolean {
  return !isStopTerm(term) && !isPairedCharacter(term);
}

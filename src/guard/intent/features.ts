/** Extracts the features of a text: words, word pairs, character n-grams, and concepts in any language. */
import { Concepts } from './concepts.ts';

/** Rows of the table; a power of two. */
export const TABLE_SIZE = 2 ** 18;
const MASK = TABLE_SIZE - 1;
/** Longer ones are no words. */
const MAX_WORD = 40;
/** As much of a word as most languages need to tell it from others, without its ending. */
const STEM = 5;
const PIECE = 4;
const LONGEST_UNSPACED = 8;

/** Keep the kinds of features apart. */
const WORD = 0x1b873593;
const STEMMED = 0x2c1b3c6d;
const PIECES = 0x297a2d39;
const PAIR = 0x6c8e9cf5;
const SKIP = 0x7feb352d;
const TRIPLE = 0x446ca68b;
const SIGN = 0x1e3779b1;
const MEANT = 0x2545f491;
const TOGETHER = 0x68e31da4;
/** Stand for whatever number or address it is. */
const NUMBER = 0x3d4d51cb;
const ADDRESS = 0x45d9f3b3;

const BETWEEN = 0;
const LETTER = 1;
const DIGIT = 2;
/** Scripts without spaces between words. */
const UNSPACED = 3;

/** Concepts that stand near each other say more than each by itself. */
const NEAR = 6;

/** Filled by the featuriser, one text after the other. */
export class Features {
  /** How the text is worded. */
  readonly rows = new Int32Array(1 << 14);
  count = 0;
  /** What its words mean in any language; apart, because words that the table has never seen must not drown them. */
  readonly meant = new Int32Array(1 << 13);
  meantCount = 0;
  /** The concepts met last, for those that follow. */
  readonly near = new Int32Array(NEAR);
  met = 0;

  add(hash: number): void {
    if (this.count < this.rows.length) this.rows[this.count++] = (hash ^ (hash >>> 13)) & MASK;
  }

  addMeant(hash: number): void {
    if (this.meantCount < this.meant.length) this.meant[this.meantCount++] = (hash ^ (hash >>> 13)) & MASK;
  }

  clear(): void {
    this.count = 0;
    this.meantCount = 0;
  }
}

let concepts: Concepts | undefined;

/** Adds the features of one stretch of a text. */
export function addFeatures(text: string, start: number, end: number, features: Features): void {
  // Made with the first text: most commands judge none.
  concepts ??= new Concepts(hashOf);
  features.met = 0;
  let [before, beforeThat] = [0, 0];
  const next = (token: number): void => {
    if (before !== 0) features.add(mix(mix(PAIR, before), token));
    if (beforeThat !== 0) {
      features.add(mix(mix(SKIP, beforeThat), token));
      features.add(mix(mix(mix(TRIPLE, beforeThat), before), token));
    }
    beforeThat = before;
    before = token;
  };
  for (let i = start; i < end; ) {
    const code = text.charCodeAt(i);
    const kind = kindOf(code);
    if (kind === BETWEEN) {
      i++;
      if (code === 63 || code === 33 || code === 0xff1f) features.add(mix(SIGN, code));
      // An address of mail, or the beginning of a link.
      if (code === 64 || (code === 58 && text.charCodeAt(i) === 47)) next(ADDRESS);
      continue;
    }
    const from = i;
    do i++;
    while (i < end && sameRun(kind, kindOf(text.charCodeAt(i))));
    if (kind === UNSPACED) addUnspaced(text, from, i, features);
    else if (kind === DIGIT) next(NUMBER);
    else next(addWord(text, from, Math.min(i, from + MAX_WORD), features));
  }
}

/** Answers with what stands for the word among its neighbours. */
function addWord(text: string, from: number, to: number, features: Features): number {
  let word = WORD;
  let stem = WORD;
  for (let i = from; i < to; i++) {
    word = mix(word, text.charCodeAt(i));
    if (i - from < STEM) stem = word;
    const meant = concepts!.ofBeginning(word);
    if (meant !== undefined) addConcepts(meant, features);
  }
  const meant = concepts!.ofWord(word);
  if (meant !== undefined) addConcepts(meant, features);
  features.add(word);
  if (to - from > STEM) features.add(mix(STEMMED, stem));
  for (let i = from; i + PIECE <= to && to - from > PIECE; i++) {
    let piece = PIECES;
    for (let j = i; j < i + PIECE; j++) piece = mix(piece, text.charCodeAt(j));
    features.add(piece);
  }
  return stem;
}

function addUnspaced(text: string, from: number, to: number, features: Features): void {
  for (let i = from; i < to; i++) {
    let run = WORD;
    for (let j = i; j < Math.min(to, i + LONGEST_UNSPACED); j++) {
      run = mix(run, text.charCodeAt(j));
      if (j - i < PIECE) features.add(run);
      // A single sign is a part of many words.
      const meant = j === i ? undefined : concepts!.ofWord(run);
      if (meant !== undefined) addConcepts(meant, features);
    }
  }
}

function addConcepts(meant: readonly number[], features: Features): void {
  const { near } = features;
  for (const concept of meant) {
    features.addMeant(mix(MEANT, concept));
    // Whichever comes first: languages differ in that.
    for (let i = Math.max(0, features.met - NEAR); i < features.met; i++) {
      const other = near[i % NEAR]!;
      if (other !== concept) {
        features.addMeant(mix(mix(TOGETHER, Math.min(other, concept)), Math.max(other, concept)));
      }
    }
  }
  for (const concept of meant) near[features.met++ % NEAR] = concept;
}

function hashOf(text: string, start: number, end: number): number {
  let word = WORD;
  for (let i = start; i < end; i++) word = mix(word, text.charCodeAt(i));
  return word;
}

function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x5bd1e995);
  return mixed ^ (mixed >>> 15);
}

/** Digits inside of a word belong to it. */
function sameRun(kind: number, other: number): boolean {
  return other === kind || (kind === LETTER && other === DIGIT);
}

function kindOf(code: number): number {
  if (code < 128) {
    if ((code >= 97 && code <= 122) || code === 39) return code === 39 ? BETWEEN : LETTER;
    return code >= 48 && code <= 57 ? DIGIT : BETWEEN;
  }
  if (code < 0xc0 || (code >= 0x2000 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x3004)) return BETWEEN;
  if ((code >= 0x3008 && code <= 0x3030) || (code >= 0xff00 && code <= 0xff0f)) return BETWEEN;
  if ((code >= 0xff1a && code <= 0xff20) || code === 0x0964 || code === 0x060c || code === 0x061f)
    return BETWEEN;
  // Thai, Lao, Khmer and Burmese; kana and ideographs.
  if ((code >= 0x0e00 && code <= 0x109f) || (code >= 0x1780 && code <= 0x17ff)) return UNSPACED;
  if (code >= 0x3005 && code <= 0x9fff) return UNSPACED;
  return LETTER;
}

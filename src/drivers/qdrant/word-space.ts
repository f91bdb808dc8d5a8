/** Words as sparse vectors: a number for each word, and its weight in a text. The words themselves are not sent to Qdrant. */
import { ANALYSIS_VERSION } from '../../kernel/analysis.ts';
import type { MemoryRecord } from '../../kernel/record.ts';
import { wordsOf } from '../common/record-words.ts';

/** One for all texts of a collection: numbers of another one would mean something else. */
export interface WordSpace {
  /** Of the sparse vectors in the collection. Holds the two others, so that every process knows them. */
  readonly name: string;
  /** Of the analysis that made the words. */
  readonly version: number;
  /** How long texts were taken to be on average; the number of a point never changes, and so neither does this. */
  readonly typicalLength: number;
}

export interface SparseVector {
  readonly indices: readonly number[];
  readonly values: readonly number[];
}

/** Lengths are rounded to a tenth of a word. */
const TENTHS = 10;
const NAME = /^words-(\d+)-(\d+)$/;
/** BM25 parameters, the same as in the engines. */
const K1 = 1.2;
const B = 0.75;

export function wordSpace(typicalLength: number): WordSpace {
  const tenths = Math.max(TENTHS, Math.round(typicalLength * TENTHS));
  const name = `words-${ANALYSIS_VERSION}-${tenths}`;
  return { name, version: ANALYSIS_VERSION, typicalLength: tenths / TENTHS };
}

export function wordSpaceNamed(name: string): WordSpace | undefined {
  const [, version, tenths] = NAME.exec(name) ?? [];
  if (version === undefined) return undefined;
  return { name, version: Number(version), typicalLength: Number(tenths) / TENTHS };
}

/** FNV-1a: the same on every machine and in every version. A collision adds a candidate, and never hides one. */
export function numberOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) {
    const unit = word.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return hash >>> 0;
}

/** What each word adds to the score of this text, but for its rarity, which changes from day to day. */
export function sparseVectorOf(record: MemoryRecord, { typicalLength }: WordSpace): SparseVector {
  const { words, frequencies, length } = wordsOf(record);
  const norm = K1 * (1 - B + (B * length) / typicalLength);
  const parts = words.map((word, i) => {
    const frequency = frequencies[i]!;
    return [word, (frequency * (K1 + 1)) / (frequency + norm)] as const;
  });
  // Of two words with the same number, each must count for no less than it does.
  return sparse(parts, (a, b) => a + b);
}

/** With what each word is worth. */
export function sparseQuestion(rarities: ReadonlyMap<string, number>): SparseVector {
  return sparse([...rarities], Math.max);
}

function sparse(
  parts: readonly (readonly [word: string, value: number])[],
  both: (a: number, b: number) => number,
): SparseVector {
  const values = new Map<number, number>();
  for (const [word, value] of parts) {
    const number = numberOf(word);
    const other = values.get(number);
    values.set(number, other === undefined ? value : both(other, value));
  }
  // Seven digits are what Qdrant keeps.
  const rounded = Array.from(values.values(), (value) => Number(value.toPrecision(7)));
  return { indices: [...values.keys()], values: rounded };
}

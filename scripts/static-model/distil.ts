/** The plain table: every piece of the vocabulary alone through the teacher, then 256 principal components. */
import { type Matrix, matrix, meanRow, principalComponents, project, subtractRow } from './matrix.ts';

/** a of a/(a + p), the smooth inverse frequency weight of Arora et al. 2017. */
const SMOOTHING = 1e-4;

/** Entries that stand for no text. */
const RESERVED = /^\[(?:PAD|UNK|CLS|SEP|MASK|unused\d+)\]$/;

/** The pieces that get a row, with their numbers in the teacher's vocabulary, most frequent first as there. */
export function usefulPieces(vocabulary: readonly string[]): { pieces: string[]; ids: number[] } {
  const ids = [...vocabulary.keys()].filter((id) => !RESERVED.test(vocabulary[id]!));
  return { pieces: ids.map((id) => vocabulary[id]!), ids };
}

/** Rare pieces say more. The vocabulary is ordered by frequency, so that Zipf's law gives p from the rank. */
export function zipfWeights(rows: number): Float32Array {
  let harmonic = 0;
  for (let rank = 1; rank <= rows; rank += 1) harmonic += 1 / rank;
  return Float32Array.from(
    { length: rows },
    (_, row) => SMOOTHING / (SMOOTHING + 1 / ((row + 1) * harmonic)),
  );
}

export function scaleRows({ data, columns }: Matrix, weights: ArrayLike<number>): void {
  for (let i = 0; i < data.length; i += 1) data[i]! *= weights[Math.floor(i / columns)]!;
}

export function distil(pieceVectors: Matrix, dimensions: number): Matrix {
  const all = matrix(Float32Array.from(pieceVectors.data), pieceVectors.columns);
  subtractRow(all, meanRow(all));
  const table = project(all, principalComponents(all, dimensions));
  scaleRows(table, zipfWeights(table.rows));
  return table;
}

/** Which vectors a collection has. With words, all of them are named, so that an older program that knows only unnamed ones cannot write to it. */

import { ANALYSIS_VERSION } from '../../kernel/analysis.ts';
import { KeepsakeError } from '../../kernel/errors.ts';
import type { VectorChange } from '../../ports/vector-feed.ts';
import { type SparseVector, sparseVectorOf, type WordSpace, wordSpaceNamed } from './word-space.ts';

const MEANING = 'meaning';

export interface Shape {
  /** The name of the embedding vectors; undefined when they have none. */
  readonly meaning: string | undefined;
  readonly words: WordSpace | undefined;
}

/** As Qdrant describes a collection. */
export interface Described {
  readonly config: {
    readonly params: {
      readonly vectors?: Readonly<Record<string, unknown>>;
      readonly sparse_vectors?: Readonly<Record<string, unknown>>;
    };
  };
}

export function shapeOf({ config: { params } }: Described): Shape {
  const words = Object.keys(params.sparse_vectors ?? {}).flatMap((name) => wordSpaceNamed(name) ?? []);
  return { meaning: MEANING in (params.vectors ?? {}) ? MEANING : undefined, words: words[0] };
}

/** The request that creates a collection. */
export function parametersOf(dimensions: number, words: WordSpace | undefined): object {
  // Vectors have length 1, so that the dot product is their cosine.
  const meaning = { size: dimensions, distance: 'Dot' };
  if (words === undefined) return { vectors: meaning };
  return { vectors: { [MEANING]: meaning }, sparse_vectors: { [words.name]: {} } };
}

type Vector = NonNullable<VectorChange['vector']>;

/** The vectors of one point. */
export function vectorsOf(
  { vector, record }: Vector,
  { meaning, words }: Shape,
): readonly number[] | Readonly<Record<string, readonly number[] | SparseVector>> {
  const dense = shortened(vector);
  if (meaning === undefined) return dense;
  if (words === undefined) return { [meaning]: dense };
  if (words.version !== ANALYSIS_VERSION) throw foreign();
  return { [meaning]: dense, [words.name]: sparseVectorOf(record, words) };
}

function foreign(): KeepsakeError {
  return new KeepsakeError('STORAGE_FAILED', 'The words in Qdrant are of another version of Keepsake.', {
    hint: 'Let all processes of this workspace run the same version.',
  });
}

/** Eight digits, of vectors of length 1: half of the JSON, and nearer than a tie. */
export function shortened(vector: Float32Array): number[] {
  return Array.from(vector, (value) => Math.round(value * 1e8) / 1e8);
}

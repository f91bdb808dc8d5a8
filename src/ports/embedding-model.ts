/** Port: text → vectors of unit length, whose dot product says how close in meaning two texts are. */

/** A question and the text that answers it may need different prompts, depending on the model. */
export type EmbeddingKind = 'document' | 'query';

export interface WordVector {
  /** Of unit length; zeros for a word without any known part. */
  readonly vector: Float32Array;
  /** How much it counts in the vector of a text: about 0.2 for "the", about 1.4 for "birthday". */
  readonly weight: number;
  /** Whether the model knows the word itself, and not only pieces of it. */
  readonly isKnown: boolean;
}

export interface EmbeddingModel {
  /** Names the vector space: provider, model, revision and dimensions. Vectors of different ids are never compared. */
  readonly id: string;
  readonly dimensions: number;
  /** How many texts one call should carry. */
  readonly batchSize: number;
  /** How its similarities are to be read: what unrelated texts reach, and what texts of the same meaning reach. */
  readonly calibration: { readonly unrelated: number; readonly same: number };
  /** One vector per text, in order. A text without any known word gives a vector of zeros. */
  embed(texts: readonly string[], kind: EmbeddingKind, signal?: AbortSignal): Promise<Float32Array[]>;
  /** For models that need microseconds: the vector of one text at once, so that it is stored together with the text. */
  readonly embedNow?: (text: string) => Float32Array;
  /** For models that know words by themselves: what one word alone means, and how much it counts in a text. */
  readonly wordNow?: (word: string) => WordVector;
  close?(): Promise<void>;
}

/** Port: a model that makes one small vector for each token of a text, read together with what stands around it. */

/** A text and what was said around it: the window that gives its tokens their meaning. */
export interface TextInPlace {
  readonly text: string;
  /** Earlier texts of the same thread, oldest first. */
  readonly before: readonly string[];
  /** The text that follows. */
  readonly after: string | undefined;
  /** What follows after so many passages is not read; without it, the model decides. */
  readonly mostPassages?: number;
}

/** What makes the vectors of two texts comparable. */
export interface TokenSpace {
  readonly id: string;
  readonly dimensions: number;
  /** A long text is made of passages of so many tokens; the last one may have fewer. */
  readonly passage: number;
}

/** Vectors of length 1 with 127 for 1, one after another: those of one text. Empty for a text that the model cannot read. */
export type TokenVectors = Int8Array;

export interface TokenModel extends TokenSpace {
  /** In the order of the texts. */
  encode(texts: readonly TextInPlace[], signal?: AbortSignal): Promise<readonly TokenVectors[]>;
  close?(): Promise<void>;
}

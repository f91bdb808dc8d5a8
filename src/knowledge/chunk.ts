/** Types of documents and chunks. */

/** How a text is built, which decides where it may be cut. */
export type TextFormat = 'markdown' | 'code' | 'text' | 'csv';

export interface Chunk {
  readonly text: string;
  /** Characters at the beginning of `text` that the chunk before it has too. */
  readonly overlap: number;
  /** What stands further up and is needed to understand the text: the header row of its table, or the function that it is in. */
  readonly lead: string;
  /** The headings that it stands under, outermost first. */
  readonly headings: readonly string[];
  /** Where `text` begins and ends in the document, in characters. */
  readonly start: number;
  readonly end: number;
}

export interface ChunkOptions {
  /** Most characters in a chunk, its lead included. */
  readonly size: number;
  /** Characters that a chunk of prose shares with the one before it in the same section. */
  readonly overlap: number;
}

/** A piece of a document under one heading; headings of code and plain text are unknown. */
export interface Section {
  readonly headings: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** Parts of a text in order, none inside another. */
export interface Spans {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

export interface Tables extends Spans {
  /** Where the rows below the header begin. */
  readonly bodies: readonly number[];
}

/** Lines of a text and what is to be kept together in it. */
export interface Outline {
  /** Offset of every line at which it may be cut, then the length of the text. */
  readonly lines: readonly number[];
  readonly sections: readonly Section[];
  /** Parts that should not be cut when they fit into a chunk, such as code in Markdown, or a function. */
  readonly blocks: Spans;
  readonly tables: Tables;
}

/** The interface through which an agent queries external knowledge: ours or any vector database. */
import type { JsonObject } from '../kernel/json.ts';

export interface LongTermHit {
  readonly text: string;
  /** Where it stands, for example `docs/a.md:12-40`. */
  readonly citation: string;
  /** From 0 to 1. */
  readonly relevance: number;
}

export interface LongTermMemory {
  /** Stores a text and answers with its id. */
  add(text: string, metadata?: JsonObject): Promise<string>;
  /** Passages for a question in plain words, best first. */
  query(text: string, options?: { readonly limit?: number }): Promise<readonly LongTermHit[]>;
}

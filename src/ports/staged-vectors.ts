/** Port: staged vectors of the next embedding model; searches use the current ones until all exist. */
import type { Unembedded, VectorDraft } from './record-store.ts';

export interface StagedProgress {
  /** Live and expired records that have a vector aside for their present text. */
  readonly done: number;
  readonly total: number;
}

export interface SwitchOutcome {
  readonly switched: boolean;
  /** Records without a vector of the next model; after a switch they wait for one like new records. */
  readonly missing: number;
}

export interface StagedVectors {
  /** The model whose vectors searches find: that of most, where there are several. Null while there is none. */
  present(): Promise<string | null>;
  /** Goes on with what is there for this model; what was made aside for another one is dropped. */
  begin(model: string): Promise<StagedProgress>;
  /** The next records without a vector of this model aside, oldest first, after the given id. */
  waiting(model: string, limit: number, after?: string): Promise<readonly Unembedded[]>;
  /** Skips records that changed or were forgotten meanwhile. Says how many were saved. */
  save(model: string, drafts: readonly VectorDraft[]): Promise<number>;
  /** In one transaction those aside take the place of all others, unless more than `mostMissing` records have none. */
  switchTo(model: string, mostMissing: number): Promise<SwitchOutcome>;
  /** Drops all that was made aside. */
  drop(): Promise<void>;
}

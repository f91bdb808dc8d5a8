/** Port: records exactly as they are, with ids, history and counters, to carry them from one store into another. */
import type { Change, ExpiryReason, MemoryRecord, RecordVersion } from '../kernel/record.ts';
import type { Embedding, WriteContext } from './record-store.ts';

/** All that a store keeps about one record; what can be derived (its state, its indexes) is left out. */
export interface RecordCopy extends Omit<MemoryRecord, 'state' | 'expiryReason'> {
  /** As it was stored; null for a record that ran out by itself. */
  readonly expiryReason: ExpiryReason | null;
  /** Whether it takes up one of the places that the cap on facts allows. */
  readonly counted: boolean;
  readonly change: Change;
  readonly changedBy: string;
  /** The versions before the present one, oldest first. */
  readonly earlier: readonly Omit<RecordVersion, 'id'>[];
}

/**
 * `present`: it is here already, the same. `differs`: its id is here with another content, which stays. `forgotten`: it
 * was forgotten here, and what was forgotten does not come back.
 */
export type CopyOutcome = 'added' | 'present' | 'differs' | 'forgotten';

export interface CopyQuery {
  /** Of one agent; of all if not given. */
  readonly agent?: string | undefined;
  /** Id of the last record of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface RecordCopies {
  count(agent?: string): Promise<number>;
  /** In the order in which they were stored; those that were forgotten too, without content. */
  read(query: CopyQuery): Promise<readonly RecordCopy[]>;
  /** All of them or none; with `dryRun` only tells what would become of each. */
  write(
    copies: readonly (RecordCopy & { readonly embedding?: Embedding | undefined })[],
    context: WriteContext & { readonly dryRun: boolean },
  ): Promise<readonly CopyOutcome[]>;
}

/** Port: reads and writes complete records with ids, history and counters, for migrations and archives. */
import type { RecordVersion } from '../kernel/record.ts';
import type { Embedding, StoredRecord, WriteContext } from './record-store.ts';

/** All that a store keeps about one record; what can be derived (its state, its indexes) is left out. */
export interface RecordCopy extends StoredRecord {
  /** The versions before the present one, oldest first. */
  readonly earlier: readonly Omit<RecordVersion, 'id'>[];
}

/** An idempotency key as it is kept: hashes, in hex. */
export interface KeyCopy {
  readonly key: string;
  readonly digest: string;
}

/** With what can only be used by another engine of Keepsake: its vector, if it has one, and the keys that represent it. */
export interface FullCopy extends RecordCopy {
  readonly embedding?: Embedding | undefined;
  readonly keys: readonly KeyCopy[];
}

/** A copy that comes in, with the vector of its content if that is known. */
export type IncomingCopy = RecordCopy & { readonly embedding?: Embedding | undefined };

export type CopyContext = WriteContext & { readonly dryRun: boolean };

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

/** `replaced`: it was here in another state, perhaps an earlier one. */
export type MirrorOutcome = 'added' | 'present' | 'replaced';

export interface RecordCopies {
  count(agent?: string): Promise<number>;
  /** In the order in which they were stored; those that were forgotten too, without content. */
  read(query: CopyQuery): Promise<readonly RecordCopy[]>;
  readFull(query: CopyQuery): Promise<readonly FullCopy[]>;
  /** All of them or none; with `dryRun` only tells what would become of each. */
  write(copies: readonly IncomingCopy[], context: CopyContext): Promise<readonly CopyOutcome[]>;
  /**
   * Makes each record here what it is there, in its place if it is here already. All or none, and no event tells of it:
   * for a store that nobody uses yet.
   */
  mirror(copies: readonly FullCopy[]): Promise<readonly MirrorOutcome[]>;
}

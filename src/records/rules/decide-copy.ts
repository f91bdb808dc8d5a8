/** Decides how a record from another store is imported. */
import type { CopyOutcome, RecordCopy } from '../../ports/record-copies.ts';
import type { StoredRecord } from '../../ports/record-store.ts';
import type { KeptVersion } from './stored-records.ts';

/** Ids are never reused: a record that is present stays as it is, and a forgotten one does not come back. */
export function decideCopy(present: StoredRecord | undefined, copy: RecordCopy): CopyOutcome {
  if (present === undefined) return 'added';
  if (present.forgottenAt !== null) return copy.forgottenAt === null ? 'forgotten' : 'present';
  const isSame =
    copy.forgottenAt === null &&
    present.version === copy.version &&
    present.updatedAt === copy.updatedAt &&
    present.content === copy.content &&
    present.agent === copy.agent &&
    present.user === copy.user;
  return isSame ? 'present' : 'differs';
}

/** A record with its whole history, as a copy carries it. */
export function copyOf(stored: StoredRecord, earlier: readonly KeptVersion[]): RecordCopy {
  return {
    ...stored,
    earlier: earlier.map(({ snapshot, ...version }) => ({ ...version, ...snapshot })),
  };
}

/** Decides how a record ends when another one takes its place. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { RecordDraft, StoredRecord, WriteContext } from '../../ports/record-store.ts';
import { requireChangeable } from './change-rights.ts';

export interface SupersedePlan<Row extends StoredRecord> {
  /** The record that is superseded. */
  readonly row: Row;
  readonly fields: Pick<StoredRecord, 'expiresAt' | 'expiryReason' | 'supersededBy' | 'counted'>;
  /** How many facts its agent has more: -1 if it frees a place, else 0. */
  readonly facts: number;
}

/** Only one record can take the place of another. */
export function decideSupersede<Row extends StoredRecord>(
  found: Row | undefined,
  id: string,
  by: Pick<RecordDraft, 'id' | 'validFrom'>,
  context: WriteContext,
  ifVersion?: number,
): SupersedePlan<Row> {
  const row = requireChangeable(found, id, ifVersion, context);
  const { supersededBy } = row;
  if (supersededBy !== null) {
    throw new KeepsakeError('CONFLICT', `${id} was superseded by ${supersededBy} already.`, {
      hint: `Supersede ${supersededBy} instead.`,
      details: { id, supersededBy },
    });
  }
  return {
    row,
    fields: {
      expiresAt: endOf(row, by.validFrom, context.at),
      expiryReason: 'superseded',
      supersededBy: by.id,
      counted: false,
    },
    facts: row.counted ? -1 : 0,
  };
}

/** It stops being valid when the new one takes effect: not before it was valid itself, and never later than now. */
function endOf(row: StoredRecord, validFrom: number | null, now: number): number {
  const until = Math.max(row.validFrom ?? row.createdAt, Math.min(now, validFrom ?? now));
  return row.expiresAt === null ? until : Math.min(until, row.expiresAt);
}

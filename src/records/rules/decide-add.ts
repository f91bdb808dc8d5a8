/** Decides what an add does: insert a new record, or strengthen the one that is the same. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { EventDraft } from '../../kernel/events.ts';
import { isCapped, type MemoryRecord } from '../../kernel/record.ts';
import { isLessTrusted, requiredTrust } from '../../kernel/trust.ts';
import type { AddOptions, RecordDraft, StoredRecord, WriteContext } from '../../ports/record-store.ts';
import { authorOf } from './change-rights.ts';
import { type ChangePlan, planChange } from './decide-change.ts';
import { decideSupersede, type SupersedePlan } from './decide-supersede.ts';
import { strengthening } from './duplicates.ts';
import { wroteEvent } from './record-events.ts';
import { newRecord } from './stored-records.ts';

/** What a driver looks up for an add. All of it is absent for nearly every add. */
export interface FoundForAdd<Row extends StoredRecord> {
  /** The record that the idempotency key represents, and whether the add that used it first had the same identity. */
  readonly keyed?: { readonly row: Row; readonly isSameText: boolean } | undefined;
  /** The oldest live record with the same identity (see `identityOf`). */
  readonly same?: Row | undefined;
  /** The record that is to be superseded. */
  readonly superseded?: Row | undefined;
}

interface InsertPlan<Row extends StoredRecord> {
  readonly outcome: 'added';
  /** To be inserted as it is, but with no reason for its expiry: the time alone says whether it is over. */
  readonly record: MemoryRecord;
  readonly changedBy: string;
  /** Whether it takes one of the places of the cap, so that others may have to be pruned. */
  readonly counted: boolean;
  readonly supersede: SupersedePlan<Row> | undefined;
  readonly event: EventDraft;
}

interface DuplicatePlan<Row extends StoredRecord> {
  readonly outcome: 'duplicate';
  readonly row: Row;
  readonly supersede: SupersedePlan<Row> | undefined;
  readonly change: ChangePlan<Row>;
}

export type AddPlan<Row extends StoredRecord> = InsertPlan<Row> | DuplicatePlan<Row>;

export function decideAdd<Row extends StoredRecord>(
  found: FoundForAdd<Row>,
  draft: RecordDraft,
  { supersedes, ifVersion }: Pick<AddOptions, 'supersedes' | 'ifVersion'>,
  context: WriteContext,
): AddPlan<Row> {
  const origin = context.origin ?? draft.origin;
  const supersede = (by: RecordDraft): SupersedePlan<Row> | undefined =>
    supersedes === undefined
      ? undefined
      : decideSupersede(found.superseded, supersedes, by, { ...context, origin }, ifVersion);
  const keyed = keyedRow(found.keyed);
  if (keyed !== undefined) {
    // The call is repeated: what it says, and what it supersedes, was done the first time.
    return { outcome: 'duplicate', row: keyed, supersede: undefined, change: unchanged(keyed) };
  }
  const { same } = found;
  if (same !== undefined) {
    return {
      outcome: 'duplicate',
      row: same,
      // Known before, but it takes the other one's place only now.
      supersede: supersedes === same.id ? undefined : supersede({ ...draft, id: same.id }),
      // A page that repeats what the user said adds nothing to it: no pin, no tags, no longer life.
      change: isLessTrusted(origin, requiredTrust(same))
        ? unchanged(same)
        : planChange(same, strengthening(same, draft), 'updated', context),
    };
  }
  return {
    outcome: 'added',
    record: newRecord(draft, supersedes ?? null, context.at),
    changedBy: authorOf(context),
    counted: isCapped(draft),
    supersede: supersede(draft),
    event: wroteEvent(draft, 1, 'added', context),
  };
}

const unchanged = <Row extends StoredRecord>(row: Row): ChangePlan<Row> => ({ outcome: 'unchanged', row });

/** The record that an earlier add with the same key made. */
function keyedRow<Row extends StoredRecord>(keyed: FoundForAdd<Row>['keyed']): Row | undefined {
  if (keyed === undefined) return undefined;
  const { row, isSameText } = keyed;
  if (row.forgottenAt !== null) {
    // Nobody can tell any more whether it is the same text, and a repeated call must not bring back what was forgotten.
    throw new KeepsakeError(
      'FORGOTTEN',
      'The memory that was stored with this idempotency key was forgotten; nothing was stored.',
      { hint: 'Use a new key to store it after all.', details: { id: row.id } },
    );
  }
  if (isSameText) return row;
  throw new KeepsakeError('CONFLICT', 'This idempotency key was used before, for another memory.', {
    hint: 'Use a new key for a new memory, or the same text, category, scope and source for the same key.',
    details: { id: row.id },
  });
}

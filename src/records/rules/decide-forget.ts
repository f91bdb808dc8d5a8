/** Decides what a forget erases and what stays of the record, so that its id is never used again. */
import type { EventDraft, KeepsakeEvent } from '../../kernel/events.ts';
import type { Erasure, StoredRecord, WriteContext } from '../../ports/record-store.ts';
import { authorOf, requireRights } from './change-rights.ts';
import { forgottenEvent } from './record-events.ts';

/** What only the engine knows is left out: whether its files are clean. */
export type Forgotten = Omit<Erasure, 'journalErased' | 'pagesErased' | 'remains'>;

/** The fields that are overwritten, with what stays in them. */
export type ErasedFields = Pick<
  StoredRecord,
  | 'content'
  | 'category'
  | 'tags'
  | 'metadata'
  | 'thread'
  | 'forgottenAt'
  | 'updatedAt'
  | 'change'
  | 'changedBy'
  | 'counted'
>;

export interface ErasePlan<Row extends StoredRecord> {
  readonly outcome: 'erase';
  /** The record before; its versions, words, vectors and digests go as well. */
  readonly row: Row;
  readonly fields: ErasedFields;
  /** How many facts its agent has more: -1 if it frees a place, else 0. */
  readonly facts: number;
  readonly event: EventDraft;
}

export type ForgetPlan<Row extends StoredRecord> =
  | ErasePlan<Row>
  | { readonly outcome: 'forgotten'; readonly result: Forgotten };

/** Forgetting twice is not an error: the second call erases nothing. */
export function decideForget<Row extends StoredRecord>(
  found: Row | undefined,
  id: string,
  context: WriteContext,
): ForgetPlan<Row> {
  const row = requireRights(found, id, context);
  if (row.forgottenAt !== null) {
    return {
      outcome: 'forgotten',
      result: { id, characters: 0, versions: 0, indexEntries: 0, events: [] },
    };
  }
  return {
    outcome: 'erase',
    row,
    fields: {
      content: '',
      category: '',
      tags: [],
      metadata: {},
      thread: null,
      forgottenAt: context.at,
      updatedAt: context.at,
      change: 'updated',
      changedBy: authorOf(context),
      counted: false,
    },
    facts: row.counted ? -1 : 0,
    event: forgottenEvent(id, row, context),
  };
}

/** What was erased, for the caller; `earlier` is the number of earlier versions that went. */
export function erasureOf(
  { row }: ErasePlan<StoredRecord>,
  earlier: number,
  events: readonly KeepsakeEvent[],
): Forgotten {
  return {
    id: row.id,
    characters: row.content.length,
    versions: earlier + 1,
    indexEntries: 1,
    events,
  };
}

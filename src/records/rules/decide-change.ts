/** Decides what an update or an undo does to a record: nothing, or another version of it. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { EventDraft } from '../../kernel/events.ts';
import { type Change, type ExpiryReason, isCapped } from '../../kernel/record.ts';
import { maySee } from '../../kernel/scope.ts';
import type {
  Embedding,
  RecordPatch,
  StoredRecord,
  UpdateOptions,
  WriteContext,
} from '../../ports/record-store.ts';
import { authorOf, requireChangeable } from './change-rights.ts';
import { wroteEvent } from './record-events.ts';
import { isOver, type KeptVersion, presentVersion, type Snapshot, snapshotOf } from './stored-records.ts';

/** The fields that a change sets, with their new values. */
export interface ChangedFields extends Snapshot {
  readonly version: number;
  readonly change: Change;
  readonly changedBy: string;
  readonly updatedAt: number;
  readonly expiryReason: ExpiryReason | null;
  readonly counted: boolean;
}

export interface UpdatePlan<Row extends StoredRecord> {
  readonly outcome: 'updated';
  /** The record before the change. */
  readonly row: Row;
  /** The version to keep. */
  readonly kept: KeptVersion;
  readonly fields: ChangedFields;
  /** The vector of the new content, if it is known already. */
  readonly embedding: Embedding | undefined;
  /** How many facts its agent has more. */
  readonly facts: number;
  /** Whether it now competes for the places of the cap, so that others may have to be pruned. */
  readonly checksCap: boolean;
  readonly event: EventDraft;
}

export type ChangePlan<Row extends StoredRecord> =
  | UpdatePlan<Row>
  | { readonly outcome: 'unchanged'; readonly row: Row };

export function decideUpdate<Row extends StoredRecord>(
  found: Row | undefined,
  id: string,
  patch: RecordPatch,
  { ifVersion }: Pick<UpdateOptions, 'ifVersion'>,
  context: WriteContext,
): ChangePlan<Row> {
  const row = requireChangeable(found, id, ifVersion, context);
  refuseOtherEnd(row, patch);
  return planChange(row, patch, 'updated', context);
}

/** The version that an undo goes back to: the one before the present one unless another is asked for. */
export const restoredVersion = ({ version }: StoredRecord, asked: number | undefined): number =>
  asked ?? version - 1;

/** For a row that is changeable; `snapshot` is what the version holds, undefined if it does not exist. */
export function decideRevert<Row extends StoredRecord>(
  row: Row,
  version: number,
  snapshot: Snapshot | undefined,
  context: WriteContext,
): ChangePlan<Row> {
  if (version === row.version) return { outcome: 'unchanged', row };
  // A version from before it was shared is as private as it was then.
  if (snapshot === undefined || !maySee(context.viewer, { ...snapshot, agent: row.agent, user: row.user })) {
    throw new KeepsakeError('NOT_FOUND', `${row.id} has no version ${version} to go back to.`, {
      hint: `Its versions are 1 to ${row.version}; see its history.`,
    });
  }
  // What was superseded does not come back to life: another record has taken its place.
  const restored = row.supersededBy === null ? snapshot : { ...snapshot, expiresAt: row.expiresAt };
  return planChange(row, restored, 'undone', context);
}

/** For a row that may be changed. */
export function planChange<Row extends StoredRecord>(
  row: Row,
  patch: RecordPatch,
  kind: Change,
  context: WriteContext,
): ChangePlan<Row> {
  const before = snapshotOf(row);
  const { embedding, ...fields } = patch;
  const after: Snapshot = { ...before, ...fields };
  if (JSON.stringify(before) === JSON.stringify(after)) return { outcome: 'unchanged', row };

  const expired = isOver(after.expiresAt, context.at);
  const isSameEnd = before.expiresAt === after.expiresAt;
  const change = kind === 'updated' && expired && !isSameEnd ? 'expired' : kind;
  const counted = isCapped({ source: row.source, scope: after.scope, user: row.user }) && !expired;
  const version = row.version + 1;
  // A fact that expired by itself kept its place, so the count alone does not say that it came back to life.
  const isRevived = !row.counted || isOver(row.expiresAt, context.at);
  return {
    outcome: 'updated',
    row,
    kept: presentVersion(row),
    fields: {
      ...after,
      version,
      change,
      changedBy: authorOf(context),
      updatedAt: context.at,
      expiryReason: expired ? (isSameEnd ? row.expiryReason : 'manual') : null,
      counted,
    },
    embedding,
    facts: Number(counted) - Number(row.counted),
    checksCap: counted && (isRevived || (row.pinned && !after.pinned)),
    event: wroteEvent({ ...row, ...after }, version, change, context),
  };
}

/** A superseded record ended when the other one took effect; with another end both would be valid, or neither. */
function refuseOtherEnd({ id, supersededBy, expiresAt }: StoredRecord, patch: RecordPatch): void {
  if (supersededBy === null || patch.expiresAt === undefined || patch.expiresAt === expiresAt) return;
  throw new KeepsakeError(
    'CONFLICT',
    `${id} was superseded by ${supersededBy}; when it ended cannot be changed.`,
    {
      hint: `If it holds again, add its text as a new memory that supersedes ${supersededBy}.`,
      details: { id, supersededBy },
    },
  );
}

/** Why a record is not changed, in the same words in every engine. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { Owned } from '../../kernel/scope.ts';
import type { RecordPatch } from '../../ports/record-store.ts';

/** Somebody may see the record, and no more. */
export function mayNotChange(id: string, who: string, { agent, source }: Owned): KeepsakeError {
  return source === 'swarm_result'
    ? new KeepsakeError('FORBIDDEN', `${who} may not change ${id}, which is the result of a swarm.`, {
        hint: 'Results of swarms are only added to, also by their authors; a lead can change one.',
      })
    : new KeepsakeError('FORBIDDEN', `${who} may not change ${id}, which belongs to ${agent}.`, {
        hint: 'Its owner can, and so can a lead when it is shared with the swarm.',
      });
}

interface Superseded {
  readonly id: string;
  readonly superseded_by: string | null;
  readonly expires_at: number | null;
}

/** What was superseded ended when the other one began; with another end both would hold, or neither. */
export function refuseOtherEnd(row: Superseded, { expiresAt }: RecordPatch): void {
  if (row.superseded_by === null || expiresAt === undefined || expiresAt === row.expires_at) return;
  throw new KeepsakeError(
    'CONFLICT',
    `${row.id} was superseded by ${row.superseded_by}; when it ended cannot be changed.`,
    {
      hint: `If it holds again, add its text as a new memory that supersedes ${row.superseded_by}.`,
      details: { id: row.id, supersededBy: row.superseded_by },
    },
  );
}

/** An earlier version of a record, without bringing it back to life when another one has taken its place. */
export function versionOf<Version extends { readonly expiresAt: number | null }>(
  row: Superseded,
  version: Version,
): Version {
  return row.superseded_by === null ? version : { ...version, expiresAt: row.expires_at };
}

/** Whether somebody may change a record that was found, and the error that says why not. */
import { KeepsakeError } from '../../kernel/errors.ts';
import type { Origin } from '../../kernel/record.ts';
import { mayAdd, mayChange, maySee, type Owned, type Viewer } from '../../kernel/scope.ts';
import { isLessTrusted, requiredTrust } from '../../kernel/trust.ts';
import type { StoredRecord, WriteContext } from '../../ports/record-store.ts';

/** The name under which a change is recorded. */
export const authorOf = ({ viewer }: WriteContext): string => viewer.agent ?? viewer.role;

/** The record itself, if the viewer may change it, on this word, and it is at the expected version. */
export function requireChangeable<Row extends StoredRecord>(
  found: Row | undefined,
  id: string,
  ifVersion: number | undefined,
  context: WriteContext,
): Row {
  const row = requireRights(found, id, context);
  requireTrust(row, context.origin ?? 'user');
  if (row.forgottenAt !== null) {
    throw new KeepsakeError('FORGOTTEN', `${id} was forgotten; its content is gone.`, { details: { id } });
  }
  if (ifVersion !== undefined && ifVersion !== row.version) {
    throw new KeepsakeError('CONFLICT', `${id} is at version ${row.version}, not ${ifVersion}.`, {
      hint: 'Read it again and repeat the change.',
      details: { id, expected: ifVersion, found: row.version },
    });
  }
  return row;
}

/** What somebody said is changed only on the word of somebody who is trusted as much. */
function requireTrust(row: StoredRecord, by: Origin): void {
  const { id, origin } = row;
  const required = requiredTrust(row);
  if (!isLessTrusted(by, required)) return;
  throw new KeepsakeError(
    'FORBIDDEN',
    required === origin
      ? `${id} was not changed: it has the origin "${origin}", which is trusted more than "${by}".`
      : `${id} was not changed: it is pinned, shared or an instruction, which "${by}" may not change.`,
    { hint: 'Ask the user to change it.', details: { id, origin, by } },
  );
}

/** The record itself, forgotten or not. One that the viewer may not see looks like one that does not exist. */
export function requireRights<Row extends StoredRecord>(
  found: Row | undefined,
  id: string,
  context: WriteContext,
): Row {
  if (found === undefined || !maySee(context.viewer, found)) {
    throw new KeepsakeError('NOT_FOUND', `There is no memory ${id}.`, {
      hint: 'List or search to find its id.',
    });
  }
  if (!mayChange(context.viewer, found)) throw mayNotChange(id, authorOf(context), found);
  return found;
}

function mayNotChange(id: string, who: string, { agent, source }: Owned): KeepsakeError {
  return source === 'swarm_result'
    ? new KeepsakeError('FORBIDDEN', `${who} may not change ${id}, which is the result of a swarm.`, {
        hint: 'Results of swarms are read-only for every agent and every lead; the owner of the workspace can change one.',
      })
    : new KeepsakeError('FORBIDDEN', `${who} may not change ${id}, which belongs to ${agent}.`, {
        hint: 'Its owner can, and so can a lead when it is shared with the swarm.',
      });
}

/** Swarm results come from runs of swarms; nobody but the owner of the workspace writes one by hand. */
export function requireSource(viewer: Viewer, source: string): void {
  if (viewer.role === 'reader' || mayAdd(viewer, source)) return;
  throw new KeepsakeError('FORBIDDEN', `Only a swarm run stores memories with the source "${source}".`, {
    hint: 'Leave out "source", or complete a run with run.complete(output).',
  });
}

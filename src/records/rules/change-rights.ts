/** Whether somebody may change a record that was found, and the error that says why not. */
import { KeepsakeError } from '../../kernel/errors.ts';
import { mayChange, maySee, type Owned } from '../../kernel/scope.ts';
import type { StoredRecord, WriteContext } from '../../ports/record-store.ts';

/** The name under which a change is recorded. */
export const authorOf = ({ viewer }: WriteContext): string => viewer.agent ?? viewer.role;

/** The record itself, if the viewer may change it and it is at the expected version. */
export function requireChangeable<Row extends StoredRecord>(
  found: Row | undefined,
  id: string,
  ifVersion: number | undefined,
  context: WriteContext,
): Row {
  const row = requireRights(found, id, context);
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
        hint: 'Results of swarms are only added to, also by their authors; a lead can change one.',
      })
    : new KeepsakeError('FORBIDDEN', `${who} may not change ${id}, which belongs to ${agent}.`, {
        hint: 'Its owner can, and so can a lead when it is shared with the swarm.',
      });
}

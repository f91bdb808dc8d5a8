/** Requires an existing workspace, for commands that must not create one. */
import { KeepsakeError } from '../../../../kernel/errors.ts';
import type { Context } from '../../context.ts';

export async function requireWorkspace(context: Context): Promise<void> {
  const missing = await context.missingWorkspace();
  if (missing === undefined) return;
  throw new KeepsakeError('NOT_FOUND', `There is nothing yet: no workspace is at ${missing}.`, {
    hint: 'Make one with "keepsake init", or name another one with --workspace.',
  });
}

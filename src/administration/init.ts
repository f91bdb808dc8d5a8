/** Creates a workspace, or adds what is missing; existing files are kept. */
import { readEnvironment, WORKSPACE_VARIABLE } from '../config/index.ts';
import { type InitResult, initWorkspace } from '../workspace/index.ts';

export interface InitWorkspaceOptions {
  /** Without it: $WORKSPACE_DIR, else the current folder. */
  readonly folder?: string | undefined;
  /** Default agent. */
  readonly name?: string | undefined;
}

export function workspaceInit({ folder, name }: InitWorkspaceOptions): InitResult {
  return initWorkspace(
    folder ?? (readEnvironment()[WORKSPACE_VARIABLE] || readEnvironment().WORKSPACE_DIR || '.'),
    { name },
  );
}

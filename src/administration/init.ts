/** Creates a workspace, or completes one; what is there already is kept. */
import { type InitResult, initWorkspace } from '../workspace/index.ts';

export interface InitWorkspaceOptions {
  readonly folder: string;
  /** Default agent. */
  readonly name?: string | undefined;
}

export function workspaceInit({ folder, name }: InitWorkspaceOptions): InitResult {
  return initWorkspace(folder, { name });
}

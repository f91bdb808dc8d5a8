/** Finds the workspace of a verb that works on files only and never opens a database. */
import { type Config, type LoadedConfig, loadConfig, readEnvironment } from '../config/index.ts';
import { findWorkspace, type Workspace, type WorkspacePaths, workspacePaths } from '../workspace/index.ts';

export { refuseMissing } from '../workspace/index.ts';

export interface WorkspaceTarget {
  /** A folder, or the configuration file in it; else the workspace that is found from the current folder. */
  readonly workspace?: string | undefined;
}

export interface LocatedWorkspace extends Workspace {
  readonly config: Config;
  readonly warnings: LoadedConfig['warnings'];
  readonly paths: WorkspacePaths;
}

export function findTarget({ workspace }: WorkspaceTarget): Workspace {
  return findWorkspace({ cwd: process.cwd(), env: readEnvironment(), explicit: workspace });
}

export function locate(target: WorkspaceTarget): LocatedWorkspace {
  const found = findTarget(target);
  const { config, warnings } = loadConfig({ workspace: found.root, file: found.configFile });
  return { ...found, config, warnings, paths: workspacePaths(found.root, config) };
}

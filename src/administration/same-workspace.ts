/** Checks whether another process, with its own folder and environment, would open the same workspace. */
import { realpathSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ENVIRONMENT, type Environment } from '../config/index.ts';
import { findWorkspace, type Workspace } from '../workspace/index.ts';
import { agentOfProject, startedIn } from './project.ts';

/** How the other process was started. */
export interface StartedElsewhere {
  readonly cwd: string;
  readonly env: Environment;
  /** From --workspace. */
  readonly workspace?: string | undefined;
  readonly perProject?: boolean | undefined;
}

/** The file as it was when the workspace was opened; a change makes another process read other settings. */
type Version = Pick<Stats, 'ino' | 'mtimeMs' | 'size'> | undefined;

export class OpenedWorkspace {
  readonly #workspace: Workspace;
  readonly #env: Environment;
  readonly #version: Version;

  constructor(workspace: Workspace, env: Environment) {
    this.#workspace = workspace;
    this.#env = env;
    this.#version = versionOf(workspace.configFile);
  }

  /** Whose memory the other process means if it names nobody. Undefined: it would open another workspace, or with other settings. */
  meantBy(other: StartedElsewhere): { readonly agent: string | undefined } | undefined {
    const { env, workspace, perProject = false } = other;
    if (ENVIRONMENT.some(({ name }) => (env[name] || '') !== (this.#env[name] || ''))) return undefined;
    const project = resolve(other.cwd, startedIn(env, other.cwd));
    const isThere = perProject && workspace === undefined && isFolder(project);
    const found = findWorkspace({ cwd: isThere ? project : other.cwd, env, explicit: workspace });
    const { root, configFile } = this.#workspace;
    if (real(found.root) !== real(root) || real(found.configFile) !== real(configFile)) return undefined;
    if (!isSame(versionOf(configFile), this.#version)) return undefined;
    return { agent: perProject ? agentOfProject(found, project) : undefined };
  }
}

function versionOf(file: string | undefined): Version {
  return file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
}

function isSame(a: Version, b: Version): boolean {
  return a?.ino === b?.ino && a?.mtimeMs === b?.mtimeMs && a?.size === b?.size;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function real(path: string | undefined): string | undefined {
  try {
    return path === undefined ? undefined : realpathSync(path);
  } catch {
    return path;
  }
}

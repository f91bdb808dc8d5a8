/** Creates a workspace: private folders and a starter configuration, and nothing that is already there is touched. */
import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { configFilesIn } from '../config/index.ts';
import { checkAgentName } from '../kernel/names.ts';
import { creationFailure, makeFolder } from './folders.ts';
import { keepOutOfGit } from './git-ignore.ts';
import { workspacePaths } from './paths.ts';
import { schemaReference, starterConfig } from './starter.ts';

/** A name that fits a person's own assistant; without a configuration file it is DEFAULT_AGENT_NAME. */
const FIRST_AGENT = 'assistant';

export interface InitOptions {
  /** Default agent of the workspace. If not given: "assistant" in a new workspace. */
  readonly name?: string | undefined;
}

export interface InitResult {
  readonly root: string;
  readonly configFile: string;
  /** Absolute paths of what was made. */
  readonly created: readonly string[];
  /** Absolute paths of what was there before, and was left as it was. */
  readonly kept: readonly string[];
}

/** Exclusive creation: of two processes that start together, one writes and the other keeps what it finds. */
function writeNew(file: string, text: string): boolean {
  let handle: number;
  try {
    handle = openSync(file, 'wx', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw creationFailure(file, error);
  }
  try {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done);
    fsyncSync(handle);
  } catch (error) {
    // Half a configuration would stop every later command.
    rmSync(file, { force: true });
    throw creationFailure(file, error);
  } finally {
    closeSync(handle);
  }
  return true;
}

export function initWorkspace(root: string, { name }: InitOptions = {}): InitResult {
  if (name !== undefined) checkAgentName(name);
  const paths = workspacePaths(resolve(root));
  const created: string[] = [];
  const kept: string[] = [];
  const note = (path: string, isNew: boolean) => (isNew ? created : kept).push(path);
  for (const folder of [paths.root, paths.agentsFolder, paths.dataFolder]) note(folder, makeFolder(folder));
  keepOutOfGit(paths.dataFolder);
  const [existing] = configFilesIn(paths.root);
  const configFile = existing ?? paths.configFile;
  // A database that exists has memories of the default agent, which must stay the default.
  const agent = name ?? (existsSync(paths.database) ? undefined : FIRST_AGENT);
  const text = starterConfig({ schema: schemaReference(paths.root), name: agent });
  note(configFile, configFile === paths.configFile && writeNew(configFile, text));
  return { root: paths.root, configFile, created, kept };
}

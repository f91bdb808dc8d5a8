/** Creates a workspace: private folders and a starter configuration, and nothing that is already there is touched. */
import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { configFilesIn } from '../config/index.ts';
import { type ErrorCode, KeepsakeError } from '../kernel/errors.ts';
import { checkAgentName } from '../kernel/names.ts';
import { workspacePaths } from './paths.ts';
import { schemaReference, starterConfig } from './starter.ts';

export interface InitOptions {
  /** Default agent of the workspace. */
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

const FAILURES: Readonly<Record<string, { code: ErrorCode; hint: string }>> = {
  EACCES: { code: 'PERMISSION', hint: 'Choose a folder that you may write to, or change its permissions.' },
  EPERM: { code: 'PERMISSION', hint: 'Choose a folder that you may write to, or change its permissions.' },
  EROFS: { code: 'PERMISSION', hint: 'The file system is read-only; choose another folder.' },
  ENOSPC: { code: 'STORAGE_FULL', hint: 'Free some space on the disk and try again.' },
  EDQUOT: { code: 'STORAGE_FULL', hint: 'Your disk quota is used up; free some space and try again.' },
  ENOTDIR: { code: 'INVALID_INPUT', hint: 'A part of the path is a file; choose a folder.' },
  ENAMETOOLONG: { code: 'INVALID_INPUT', hint: 'Choose a shorter path.' },
};

function failure(path: string, cause: unknown): KeepsakeError {
  const errno = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const { code, hint } = FAILURES[errno] ?? { code: 'STORAGE_FAILED', hint: 'Check the disk and try again.' };
  return new KeepsakeError(code, `${path} cannot be created: ${errno || String(cause)}.`, {
    hint,
    cause,
    details: { path },
  });
}

/** True when the folder was made, false when it was there. */
function makeFolder(path: string): boolean {
  try {
    return mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined;
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) {
      throw new KeepsakeError('INVALID_INPUT', `${path} is a file, but a workspace needs a folder there.`, {
        hint: 'Choose another folder, or move that file away.',
        cause: error,
      });
    }
    throw failure(path, error);
  }
}

/** Exclusive creation: of two processes that start together, one writes and the other keeps what it finds. */
function writeNew(file: string, text: string): boolean {
  let handle: number;
  try {
    handle = openSync(file, 'wx', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw failure(file, error);
  }
  try {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done);
    fsyncSync(handle);
  } catch (error) {
    // Half a configuration would stop every later command.
    rmSync(file, { force: true });
    throw failure(file, error);
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
  const [existing] = configFilesIn(paths.root);
  const configFile = existing ?? paths.configFile;
  const text = starterConfig({ schema: schemaReference(paths.root), name });
  note(configFile, configFile === paths.configFile && writeNew(configFile, text));
  return { root: paths.root, configFile, created, kept };
}

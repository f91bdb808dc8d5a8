/** The folder of a model: whether all of it is there, and how a checked file gets into it. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { KeepsakeError } from '../../../kernel/errors.ts';
import type { LocalModel, ModelFile } from '../catalog.ts';

/** By size only, which is quick; the hashes are checked when the files come in, and when they are opened. */
export function isInstalled({ files }: LocalModel, folder: string): boolean {
  return files.every(
    ({ name, bytes }) => statSync(join(folder, name), { throwIfNoEntry: false })?.size === bytes,
  );
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

export async function isIntact({ name, bytes, sha256 }: ModelFile, folder: string): Promise<boolean> {
  const file = join(folder, name);
  if (statSync(file, { throwIfNoEntry: false })?.size !== bytes) return false;
  return (await hashFile(file)) === sha256;
}

/** Under its name a file is always whole: it is on the disk before it gets it. */
export function moveIn(partial: string, folder: string, { name }: ModelFile): void {
  const handle = openSync(partial, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(partial, join(folder, name));
}

export function writeIn(bytes: Uint8Array, folder: string, file: ModelFile): void {
  const partial = join(folder, `${file.name}.part`);
  try {
    writeFileSync(partial, bytes, { mode: 0o600 });
    moveIn(partial, folder, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

export function makeModelFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** What the file system says, in our words. */
export function diskError(error: unknown, folder: string): unknown {
  if (KeepsakeError.is(error) || !(error instanceof Error) || !('code' in error)) return error;
  const { code } = error;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new KeepsakeError('STORAGE_FULL', `There is no room left in ${folder}.`, {
      hint: 'Make room and pull the model again; what has arrived is kept.',
      cause: error,
    });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new KeepsakeError('PERMISSION', `${folder} cannot be written to.`, {
      hint: 'Change the permissions, or keep the model in the workspace with --here.',
      cause: error,
    });
  }
  if (typeof code !== 'string' || !code.startsWith('E')) return error;
  return new KeepsakeError('STORAGE_FAILED', `The model cannot be stored in ${folder} (${code}).`, {
    hint: 'Check the disk and the path.',
    cause: error,
  });
}

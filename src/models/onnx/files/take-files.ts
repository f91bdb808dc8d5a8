/** Finds the files of a model in a folder or archive by content, not by name. */
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { KeepsakeError } from '../../../kernel/errors.ts';
import type { ModelFile } from '../catalog.ts';
import { hashFile, sha256Of, writeIn } from './model-folder.ts';
import { tarFiles } from './tar-files.ts';

/** How far down a folder is searched: `node_modules/x/model/…` is, a whole disk is not. */
const MAX_DEPTH = 6;

/** The files that are still missing afterwards. */
export type Missing = readonly ModelFile[];

async function takeOne(path: string, missing: Missing, folder: string): Promise<Missing> {
  const { size } = statSync(path);
  if (!missing.some(({ bytes }) => bytes === size)) return missing;
  const hash = await hashFile(path);
  const found = missing.find(({ sha256 }) => sha256 === hash);
  if (found === undefined) return missing;
  writeIn(readFileSync(path), folder, found);
  return missing.filter((file) => file !== found);
}

async function takeBelow(path: string, missing: Missing, folder: string, depth: number): Promise<Missing> {
  let left = missing;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    if (left.length === 0) break;
    if (entry.isDirectory() && depth < MAX_DEPTH) left = await takeBelow(inside, left, folder, depth + 1);
    else if (
      entry.isFile() ||
      (entry.isSymbolicLink() && statSync(inside, { throwIfNoEntry: false })?.isFile())
    ) {
      left = await takeOne(inside, left, folder);
    }
  }
  return left;
}

export async function takeFromArchive(archive: string, missing: Missing, folder: string): Promise<Missing> {
  let left = missing;
  const unpacked = createGunzip();
  createReadStream(archive)
    .on('error', (error) => unpacked.destroy(error))
    .pipe(unpacked);
  try {
    for await (const { bytes } of tarFiles(unpacked, (size) => left.some((file) => file.bytes === size))) {
      const hash = sha256Of(bytes);
      const found = left.find(({ sha256 }) => sha256 === hash);
      if (found === undefined) continue;
      writeIn(bytes, folder, found);
      left = left.filter((file) => file !== found);
      if (left.length === 0) break;
    }
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    if (!code.startsWith('Z_')) throw cause;
    throw new KeepsakeError('CORRUPT', `${archive} is not a complete .tgz archive.`, {
      hint: 'Download it again.',
      cause,
    });
  } finally {
    unpacked.destroy();
  }
  return left;
}

/** From a folder, a .tgz archive, or a single file. */
export async function takeFromPath(path: string, missing: Missing, folder: string): Promise<Missing> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw new KeepsakeError('NOT_FOUND', `There is no file or folder ${path}.`, {
      hint: 'Name a folder with the files of the model, or a .tgz archive that holds them.',
    });
  }
  if (stats.isDirectory()) return takeBelow(path, missing, folder, 0);
  if (/\.(tgz|tar\.gz)$/i.test(path)) return takeFromArchive(path, missing, folder);
  return takeOne(path, missing, folder);
}

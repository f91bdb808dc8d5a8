/** Reads a document completely, and checks that it did not change or move while it was read. */
import { KeepsakeError } from '../kernel/errors.ts';
import type { FileStat, Files, OpenFile } from '../ports/files.ts';
import { isMissing } from './errors.ts';
import { OPEN_READ } from './files.ts';
import { refuseIfMoved, refuseUnlessFile } from './paths.ts';

/** An editor that saves in place may change a file while it is read; nobody saves this often in a row. */
const MOST_READS = 5;

export interface Opened {
  readonly handle: OpenFile;
  readonly bytes: Uint8Array;
  readonly stat: FileStat;
}

/** Leaves the file open, so that the caller can look again later; undefined when there is none. */
export async function openAndRead(
  files: Files,
  path: string,
  maxBytes: number,
  /** Runs after the content was read and before it is checked that the file stood still. */
  meanwhile: () => Promise<void> = async () => {},
): Promise<Opened | undefined> {
  for (let reads = 1; ; reads++) {
    let handle: OpenFile;
    try {
      handle = await files.open(path, OPEN_READ);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    try {
      const before = await handle.stat();
      refuseUnlessFile(before, path);
      refuseIfTooLarge(before.size, maxBytes, path);
      const bytes = await readAll(handle, before.size, maxBytes, path);
      await meanwhile();
      const after = await handle.stat();
      const still = after.mtimeNs === before.mtimeNs && after.size === bytes.length;
      const named = await isNamed(files, path, after.identity);
      if ((still && named) || reads === MOST_READS) return { handle, bytes, stat: after };
    } catch (error) {
      await closeQuietly(handle);
      throw error;
    }
    await closeQuietly(handle);
  }
}

export async function readAll(
  handle: OpenFile,
  hint: number,
  maxBytes: number,
  path: string,
): Promise<Uint8Array> {
  // One byte more than expected, so that the end of the file is seen without a second buffer.
  let buffer = new Uint8Array(hint + 1);
  let length = 0;
  for (;;) {
    const count = await handle.read(buffer, length, buffer.length - length, length);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
    refuseIfTooLarge(length, maxBytes, path);
    if (length < buffer.length) continue;
    const larger = new Uint8Array(buffer.length * 2);
    larger.set(buffer);
    buffer = larger;
  }
}

/** A part of a file, for files too long to be read whole. */
export async function readPart(
  files: Files,
  path: string,
  start: number,
  length: number,
): Promise<Uint8Array> {
  const handle = await files.open(path, OPEN_READ);
  try {
    refuseUnlessFile(await handle.stat(), path);
    await refuseIfMoved(files, path);
    return await readRange(handle, start, length);
  } finally {
    await closeQuietly(handle);
  }
}

/** May be shorter than asked for when the file ends before. */
export async function readRange(handle: OpenFile, start: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const count = await handle.read(bytes, done, length - done, start + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

/** Whether `path` is still the name of the opened file; a link slipped into the path is refused. */
export async function isNamed(files: Files, path: string, identity: string): Promise<boolean> {
  try {
    await refuseIfMoved(files, path);
    return (await files.lstat(path)).identity === identity;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

export function refuseIfTooLarge(size: number, maxBytes: number, path: string): void {
  if (size <= maxBytes) return;
  throw new KeepsakeError('TOO_LARGE', `${path} would be larger than ${maxBytes} bytes.`, {
    hint: 'Archive or split the document.',
    details: { path, size, maxBytes },
  });
}

/** For files that were only read: a failure to close them loses nothing. */
export async function closeQuietly(handle: OpenFile): Promise<void> {
  await handle.close().catch(() => {});
}

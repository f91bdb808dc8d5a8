/** Appends to a document; an incomplete append is reverted. */
import { KeepsakeError } from '../kernel/errors.ts';
import type { FileStat, Files, OpenFile } from '../ports/files.ts';
import { clearIntent, needsIntent, writeIntent } from './append-intent.ts';
import { errnoOf, isMissing, storageError } from './errors.ts';
import { OPEN_APPEND } from './files.ts';
import { lookupError, refuseUnlessFile } from './paths.ts';
import { closeQuietly, isNamed, readRange, refuseIfTooLarge } from './reading.ts';
import { writeAll } from './temporary.ts';

export interface Appending {
  readonly files: Files;
  readonly path: string;
  readonly maxBytes: number;
  readonly ifSize: number | undefined;
  /** False when the caller keeps a journal of its own and mends what a crash leaves. */
  readonly noted: boolean;
}

/** What a document ends with, for whoever composes the text that follows. */
export interface DocumentEnd {
  readonly size: number;
  /** The last byte; undefined when there is none. */
  lastByte(): Promise<number | undefined>;
}

export type Compose = (end: DocumentEnd) => Promise<Uint8Array>;

export type Appended = { readonly size: number } | 'missing' | 'replaced';

/**
 * Resolves to `missing` when there is no document and to `replaced` when an editor put another file in its place
 * meanwhile; nothing was added in either case.
 */
export async function addToEnd(appending: Appending, compose: Compose): Promise<Appended> {
  const { files, path } = appending;
  let handle: OpenFile;
  try {
    handle = await files.open(path, OPEN_APPEND);
  } catch (error) {
    if (isMissing(error)) return 'missing';
    throw errnoOf(error) === 'ELOOP' ? lookupError(error, path) : storageError(error, 'opened', path);
  }
  try {
    return await addTo(handle, appending, compose);
  } finally {
    // Everything is on the disk by now, or taken back: closing can lose nothing.
    await closeQuietly(handle);
  }
}

async function addTo(handle: OpenFile, appending: Appending, compose: Compose): Promise<Appended> {
  const { files, path, maxBytes, ifSize } = appending;
  let before: FileStat;
  let bytes: Uint8Array;
  try {
    before = await handle.stat();
    refuseUnlessFile(before, path);
    if (ifSize !== undefined && ifSize !== before.size) throw unexpectedSize(path, ifSize, before.size);
    if (!(await isNamed(files, path, before.identity))) return 'replaced';
    bytes = await compose(endOf(handle, before.size));
    refuseIfTooLarge(before.size + bytes.length, maxBytes, path);
  } catch (error) {
    throw storageError(error, 'extended', path, 'Nothing was added.');
  }
  const noted = appending.noted && needsIntent(before.size, bytes.length);
  let inDoubt = false;
  try {
    if (noted) await writeIntent(files, path, before.size, bytes);
    return await writeAndVerify(handle, before, appending, bytes);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    inDoubt = !(await takeBack(handle, before.size, bytes));
    const next = noted
      ? 'A part of the text may be there until the next write.'
      : 'A part of the text may be there.';
    throw storageError(error, 'extended', path, inDoubt ? next : 'Nothing was added.');
  } finally {
    // In doubt the note stays, and whoever takes the lock next cuts the part off.
    if (noted && !inDoubt) await clearIntent(files, path);
  }
}

function endOf(handle: OpenFile, size: number): DocumentEnd {
  return { size, lastByte: async () => (size === 0 ? undefined : (await readRange(handle, size - 1, 1))[0]) };
}

async function writeAndVerify(
  handle: OpenFile,
  before: FileStat,
  { files, path, ifSize }: Appending,
  bytes: Uint8Array,
): Promise<Appended> {
  await writeAll(handle, bytes);
  await handle.sync();
  const { size } = await handle.stat();
  // An editor that replaced the file by another one left our bytes in a file without a name.
  if (!(await isNamed(files, path, before.identity))) return 'replaced';
  if (size === before.size + bytes.length) return { size };
  // Someone saved in place. If that was before our write, all is well, unless the caller insisted on a size.
  if (!(await endsWith(handle, size, bytes))) throw disturbed(path);
  if (ifSize === undefined) return { size };
  await handle.truncate(size - bytes.length);
  throw unexpectedSize(path, ifSize, size - bytes.length);
}

/** Cuts a file to a size; the cut is on the disk when it resolves. */
export async function cutOff(files: Files, path: string, size: number): Promise<void> {
  try {
    const handle = await files.open(path, OPEN_APPEND);
    try {
      const stat = await handle.stat();
      refuseUnlessFile(stat, path);
      // Truncating to a larger size would add zeros; a file with another name is no longer the document.
      if (size > stat.size || !(await isNamed(files, path, stat.identity))) {
        throw unexpectedSize(path, size, stat.size);
      }
      await handle.truncate(size);
      await handle.sync();
    } finally {
      await closeQuietly(handle);
    }
  } catch (error) {
    throw storageError(error, 'cut', path);
  }
}

/** Cuts off what we added, and only that; tells whether the document is as it was before. */
async function takeBack(handle: OpenFile, oldSize: number, bytes: Uint8Array): Promise<boolean> {
  try {
    const { size } = await handle.stat();
    if (size === oldSize) return true;
    if (size < oldSize || size > oldSize + bytes.length) return false;
    if (!(await endsWith(handle, size, bytes.subarray(0, size - oldSize)))) return false;
    await handle.truncate(oldSize);
    await handle.sync();
    return true;
  } catch {
    return false;
  }
}

async function endsWith(handle: OpenFile, size: number, bytes: Uint8Array): Promise<boolean> {
  if (size < bytes.length) return false;
  return Buffer.compare(await readRange(handle, size - bytes.length, bytes.length), bytes) === 0;
}

export function unexpectedSize(path: string, expected: number, found: number): KeepsakeError {
  return new KeepsakeError(
    'CONFLICT',
    `${path} has ${found} bytes instead of ${expected}: someone changed it meanwhile.`,
    {
      hint: 'Read it again and repeat the change.',
      details: { path, expected, found },
    },
  );
}

function disturbed(path: string): KeepsakeError {
  return new KeepsakeError('CONFLICT', `${path} was saved by someone else while text was added to it.`, {
    hint: 'Read it again and see whether the text is there.',
    details: { path },
  });
}

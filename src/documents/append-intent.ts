/**
 * A note beside the document that says what is being appended, so that a half of it can be told and cut off.
 *
 * The kernel copies an append page by page, and kill -9 can stop it in between (seen in 4 of 20 kills with 4 MB). The
 * note is not synced: it outlives the process, which is its purpose, but perhaps not a power failure.
 */
import { basename, dirname, join } from 'node:path';
import type { FileStat, Files, OpenFile } from '../ports/files.ts';
import { isMissing, storageError } from './errors.ts';
import { OPEN_APPEND, OPEN_NEW, OPEN_READ } from './files.ts';
import { PRIVATE_FILE } from './paths.ts';
import { closeQuietly, readAll, readRange } from './reading.ts';
import { writeAll } from './temporary.ts';

/** The smallest page of all systems we know; what stays within one page is written whole or not at all. */
const PAGE = 4_096;
const HEADER = /^keepsake append (\d+) (\d+)\n/;
/** The append follows its note at once. A document that was changed later than this was changed by someone else. */
const LONGEST_DELAY_NS = 10_000_000_000n;

export interface AppendIntent {
  /** Size of the document before. */
  readonly oldSize: number;
  readonly bytes: Uint8Array;
  readonly writtenNs: bigint;
}

export function needsIntent(oldSize: number, length: number): boolean {
  return Math.floor(oldSize / PAGE) !== Math.floor((oldSize + length - 1) / PAGE);
}

export async function writeIntent(
  files: Files,
  path: string,
  oldSize: number,
  bytes: Uint8Array,
): Promise<void> {
  const handle = await files.open(intentPath(path), OPEN_NEW, PRIVATE_FILE);
  try {
    await writeAll(
      handle,
      Buffer.concat([Buffer.from(`keepsake append ${oldSize} ${bytes.length}\n`), bytes]),
    );
  } finally {
    await closeQuietly(handle);
  }
}

/** Undefined if there is none, or when its writer died before it was complete and nothing was appended yet. */
export async function readIntent(files: Files, path: string): Promise<AppendIntent | undefined> {
  const handle = await openIfThere(files, intentPath(path), OPEN_READ);
  if (handle === undefined) return undefined;
  try {
    const stat = await handle.stat();
    const content = Buffer.from(await readAll(handle, stat.size, Number.POSITIVE_INFINITY, path));
    const header = HEADER.exec(content.toString('latin1', 0, 64));
    if (header === null) return undefined;
    const bytes = content.subarray(header[0].length);
    if (bytes.length !== Number(header[2])) return undefined;
    return { oldSize: Number(header[1]), bytes, writtenNs: stat.mtimeNs };
  } finally {
    await closeQuietly(handle);
  }
}

/** Removes it if it is there. One that stays is harmless: its append is complete, or will be cut off. */
export async function clearIntent(files: Files, path: string): Promise<void> {
  await files.unlink(intentPath(path)).catch(() => {});
}

/** Whether the document ends with a part of what was to be appended, and nobody changed it since. */
function isTorn(intent: AppendIntent, stat: FileStat, end: Uint8Array): boolean {
  if (end.length === 0 || end.length >= intent.bytes.length) return false;
  if (stat.mtimeNs > intent.writtenNs + LONGEST_DELAY_NS) return false;
  return Buffer.compare(end, intent.bytes.subarray(0, end.length)) === 0;
}

/** What a reader is shown: the document as it was before an append that is not complete. */
export function withoutTornEnd(
  bytes: Uint8Array,
  stat: FileStat,
  intent: AppendIntent | undefined,
): Uint8Array {
  if (intent === undefined || !isTorn(intent, stat, bytes.subarray(intent.oldSize))) return bytes;
  return bytes.subarray(0, intent.oldSize);
}

/** Under the lock: cuts off the part of an append whose writer died, or could not take it back itself. */
export async function heal(files: Files, path: string): Promise<void> {
  const note = intentPath(path);
  try {
    const there = await files.lstat(note).then(
      () => true,
      (error: unknown) => {
        if (!isMissing(error)) throw error;
        return false;
      },
    );
    if (!there) return;
    const intent = await readIntent(files, path);
    if (intent !== undefined) await cutOff(files, path, intent);
    await files.unlink(note);
  } catch (error) {
    throw storageError(error, 'healed', path, `A write to it was interrupted; the rest of it is in ${note}.`);
  }
}

async function cutOff(files: Files, path: string, intent: AppendIntent): Promise<void> {
  const handle = await openIfThere(files, path, OPEN_APPEND);
  if (handle === undefined) return;
  try {
    const stat = await handle.stat();
    const length = stat.size - intent.oldSize;
    if (stat.kind !== 'file' || length <= 0 || length >= intent.bytes.length) return;
    const end = await readRange(handle, intent.oldSize, length);
    if (!isTorn(intent, stat, end)) return;
    await handle.truncate(intent.oldSize);
    await handle.sync();
  } finally {
    await closeQuietly(handle);
  }
}

async function openIfThere(files: Files, path: string, flags: number): Promise<OpenFile | undefined> {
  try {
    return await files.open(path, flags);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function intentPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.append`);
}

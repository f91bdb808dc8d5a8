/** Temporary files, named after the writing process, so that files of dead processes can be found and removed. */
import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { type Clock, HOUR, systemClock } from '../kernel/clock.ts';
import { once } from '../kernel/once.ts';
import type { FileStat, Files, OpenFile } from '../ports/files.ts';
import { isMissing, storageError } from './errors.ts';
import { nodeFiles, OPEN_NEW } from './files.ts';
import { PRIVATE_FILE, refuseIfMoved } from './paths.ts';
import { closeQuietly } from './reading.ts';

const NAME = /^\.keepsake-([0-9a-f]{8})-(\d+)-([0-9a-f]{8})-[0-9a-f]{16}\.tmp$/;
/** No write takes an hour; only files whose writer cannot be asked have to grow this old. */
const DEFAULT_GRACE_MS = HOUR;

/** Process ids mean something only on one machine and, with containers, within one process namespace. */
const thisHost = once(() =>
  createHash('sha256').update(`${hostname()} ${processNamespace()}`).digest('hex').slice(0, 8),
);
/** Tells this copy of the module from one in another thread of the same process. */
const thisInstance = once(() => randomBytes(4).toString('hex'));
const inUse = new Set<string>();

/** Reserves an unpredictable name; the caller gives it back with `discard`, or renames it and calls `forget`. */
export function reserve(folder: string): string {
  const path = join(
    folder,
    `.keepsake-${thisHost()}-${process.pid}-${thisInstance()}-${randomBytes(8).toString('hex')}.tmp`,
  );
  inUse.add(path);
  return path;
}

export function forget(path: string): void {
  inUse.delete(path);
}

/** Removes it if it is there. A failure is left to the sweep: the error that led here matters more. */
export async function discard(files: Files, path: string): Promise<void> {
  await files.unlink(path).catch(() => {});
  forget(path);
}

/** A complete, durable file with the mode and the owner of the one it is to replace. */
export async function writeTemporary(
  files: Files,
  folder: string,
  bytes: Uint8Array,
  like: FileStat | undefined,
  mode = PRIVATE_FILE,
): Promise<string> {
  const path = reserve(folder);
  try {
    const handle = await files.open(path, OPEN_NEW, mode);
    try {
      await refuseIfMoved(files, path);
      if (like !== undefined) await resemble(handle, like);
      await writeAll(handle, bytes);
      await handle.sync();
    } catch (error) {
      await closeQuietly(handle);
      throw error;
    }
    await handle.close();
    return path;
  } catch (error) {
    await discard(files, path);
    throw error;
  }
}

export async function writeAll(
  handle: OpenFile,
  bytes: Uint8Array,
  onProgress?: (written: number) => void,
): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const count = await handle.write(bytes, written, bytes.length - written);
    if (count === 0) throw Object.assign(new Error('The file takes no more bytes.'), { code: 'EIO' });
    written += count;
    onProgress?.(written);
  }
}

/** Only root may give files away; everyone else keeps what they replace, as editors do. */
async function resemble(handle: OpenFile, like: FileStat): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== like.uid || own.gid !== like.gid) await handle.chown(like.uid, like.gid).catch(() => {});
  if (own.mode !== like.mode) await handle.chmod(like.mode);
}

export interface SweepOptions {
  readonly files?: Files;
  readonly clock?: Clock;
  /** Age from which a file is removed although its writer may still live. */
  readonly graceMs?: number;
}

/** Removes temporary files of dead writers from one folder and returns their names. Touches nothing else. */
export async function sweepTemporaryFiles(folder: string, options: SweepOptions = {}): Promise<string[]> {
  const { files = nodeFiles, clock = systemClock, graceMs = DEFAULT_GRACE_MS } = options;
  const removed: string[] = [];
  try {
    const real = await files.realpath(resolve(folder));
    for (const name of await files.readdir(real)) {
      const path = join(real, name);
      if (!NAME.test(name)) continue;
      const stat = await files.lstat(path).catch(unlessMissing);
      if (stat?.kind !== 'file' || inUse.has(path)) continue;
      // Not the time of the last write: a second name of an old document is as young as its link.
      const age = clock.now() - Number(stat.ctimeNs / 1_000_000n);
      if (age < graceMs && !isOrphan(name)) continue;
      await files.unlink(path).catch(unlessMissing);
      removed.push(name);
    }
  } catch (error) {
    if (isMissing(error)) return removed;
    throw storageError(error, 'swept', folder);
  }
  return removed;
}

/** True only if the writer is certainly gone. */
function isOrphan(name: string): boolean {
  const [, host, pid, instance] = NAME.exec(name)!;
  if (host !== thisHost()) return false;
  if (instance === thisInstance()) return true;
  return Number(pid) !== process.pid && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and belongs to someone else.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

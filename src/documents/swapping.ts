/** Atomically replaces or removes a document, if its content is as expected. */
import { defined } from '../kernel/defined.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { Files } from '../ports/files.ts';
import { errnoOf, storageError } from './errors.ts';
import { lookupError, type Place, syncFolder } from './paths.ts';
import { closeQuietly, type Opened, openAndRead, readAll } from './reading.ts';
import { discard, forget, reserve, writeTemporary } from './temporary.ts';
import { ABSENT, hashOf } from './text.ts';

/** Instead of a hash: whatever is there, even if someone changed it a moment ago. */
export const ANY = 'any';

/** File systems without hard links answer with one of these. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

export interface Swap {
  readonly files: Files;
  readonly place: Place;
  readonly maxBytes: number;
  /** Hash of what must be there now, or ABSENT, or ANY. */
  readonly ifHash: string;
  /** Mode of a file that does not exist yet, before the umask. Default: private. */
  readonly mode?: number;
}

export async function putInPlace(swap: Swap, bytes: Uint8Array): Promise<void> {
  const { files, place } = swap;
  await changing(swap, 'written', async (change) => {
    const temporary = await writeTemporary(files, place.folder, bytes, place.stat, swap.mode);
    try {
      await change((isFree) =>
        isFree ? moveToFreeName(swap, temporary) : files.rename(temporary, place.path),
      );
      forget(temporary);
    } catch (error) {
      await discard(files, temporary);
      throw error;
    }
  });
}

export async function takeAway(swap: Swap): Promise<void> {
  await changing(swap, 'removed', (change) => change(() => swap.files.unlink(swap.place.path)));
}

type Change = (act: (isFree: boolean) => Promise<void>) => Promise<void>;

/** Around both: the error says whether the change is in effect, which the caller could not know otherwise. */
async function changing(swap: Swap, doing: string, work: (change: Change) => Promise<void>): Promise<void> {
  let aftermath = 'It is as it was before.';
  try {
    await work((act) =>
      changeIfAsExpected(swap, async (isFree) => {
        aftermath = 'It is either as before or changed in full.';
        await act(isFree);
        aftermath = 'The change is in effect, but may not survive a power failure.';
      }),
    );
  } catch (error) {
    if (errnoOf(error) === 'ELOOP') throw lookupError(error, swap.place.path);
    throw storageError(error, doing, swap.place.path, aftermath);
  }
}

async function changeIfAsExpected(swap: Swap, act: (isFree: boolean) => Promise<void>): Promise<void> {
  const { files, place, maxBytes, ifHash } = swap;
  if (ifHash === ANY) {
    await act(false);
  } else {
    const present = await openAndRead(files, place.path, maxBytes);
    try {
      const hash = present === undefined ? ABSENT : hashOf(present.bytes);
      if (hash !== ifHash) throw conflict(place.path, ifHash, hash);
      if (present === undefined) await act(true);
      else await changeUnlessEdited(swap, present, () => act(false));
    } finally {
      if (present !== undefined) await closeQuietly(present.handle);
    }
  }
  await syncFolder(files, place.folder);
}

/**
 * A person may save the file between our last look and the change. An editor that writes in place writes to the old
 * file then, so a second name keeps that file alive: if its content moved, it gets its place back, with the editor
 * still writing to it. (An editor that renames in the microseconds between our last `lstat` and the change is not seen:
 * no system call compares and replaces a name at once.)
 */
async function changeUnlessEdited(swap: Swap, present: Opened, act: () => Promise<void>): Promise<void> {
  const { files, place, maxBytes, ifHash } = swap;
  const keep = await keepAlive(swap, present);
  if (keep === undefined) return act();
  let needed = false;
  try {
    await act();
    const now = hashOf(await readAll(present.handle, present.bytes.length, maxBytes, place.path));
    if (now === ifHash) return;
    needed = true;
    await files.rename(keep, place.path);
    needed = false;
    await syncFolder(files, place.folder);
    throw conflict(place.path, ifHash, now);
  } catch (error) {
    if (!needed) throw error;
    throw storageError(error, 'put back after someone edited it', place.path, `That edit is in ${keep}.`);
  } finally {
    if (!needed) await discard(files, keep);
  }
}

/** Undefined where the file system has no second names. */
async function keepAlive({ files, place, ifHash }: Swap, present: Opened): Promise<string | undefined> {
  const keep = reserve(place.folder);
  try {
    await files.link(place.path, keep);
    if ((await files.lstat(place.path)).identity === present.stat.identity) return keep;
    throw conflict(place.path, ifHash, undefined);
  } catch (error) {
    await discard(files, keep);
    if (NO_LINKS.has(errnoOf(error) ?? '')) return undefined;
    throw errnoOf(error) === 'ENOENT' ? conflict(place.path, ifHash, ABSENT) : error;
  }
}

/** Unlike rename, link fails when someone created the document meanwhile. */
async function moveToFreeName({ files, place }: Swap, temporary: string): Promise<void> {
  try {
    await files.link(temporary, place.path);
  } catch (error) {
    const errno = errnoOf(error) ?? '';
    if (errno === 'EEXIST') throw conflict(place.path, ABSENT, undefined);
    if (!NO_LINKS.has(errno)) throw error;
    return files.rename(temporary, place.path);
  }
  await discard(files, temporary);
}

function conflict(path: string, expected: string, found: string | undefined): KeepsakeError {
  return new KeepsakeError(
    'CONFLICT',
    `${path} was changed by someone else meanwhile; it was left as they made it.`,
    {
      hint: 'Read it again and repeat the change.',
      details: { path, expected, ...defined({ found }) },
    },
  );
}

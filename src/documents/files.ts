/** The file system port on `node:fs`, and how documents open files. */
import {
  type BigIntStats,
  closeSync,
  constants,
  fchmod,
  fchown,
  fstatSync,
  fsync,
  ftruncate,
  lstatSync,
  openSync,
  read,
  readdirSync,
  readSync,
  realpathSync,
  write,
} from 'node:fs';
import { link, mkdir, rename, unlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { FileStat, Files, OpenFile } from '../ports/files.ts';

// Absent on Windows, where neither following links at the last step nor blocking on a FIFO can be switched off.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
/** Without it, opening a FIFO that was swapped in after the check would wait for a writer forever. */
const NO_WAIT = constants.O_NONBLOCK ?? 0;

export const OPEN_READ = constants.O_RDONLY | NO_FOLLOW | NO_WAIT;
export const OPEN_APPEND = constants.O_RDWR | constants.O_APPEND | NO_FOLLOW | NO_WAIT;
export const OPEN_NEW = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;
export const OPEN_FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);

/** As much as the page that a file ends with, which is in memory whenever somebody just wrote it. */
const ONE_PAGE = 4_096;

/**
 * Looking at a file takes some microseconds, a trip through the thread pool ten times as long, and every message looks
 * a dozen times: so looking is synchronous. What moves bytes or waits for the disk is not.
 */
export const nodeFiles: Files = {
  open: async (path, flags, mode) => wrap(openSync(path, flags, mode)),
  lstat: async (path) => toFileStat(lstatSync(path, { bigint: true })),
  realpath: async (path) => realpathSync.native(path),
  rename: (from, to) => rename(from, to),
  link: (from, to) => link(from, to),
  unlink: (path) => unlink(path),
  mkdir: (path, mode) => mkdir(path, { mode }).then(() => {}),
  readdir: async (path) => readdirSync(path),
};

const readLater = promisify(read);
const writeLater = promisify(write);
const later = { truncate: promisify(ftruncate), chmod: promisify(fchmod), chown: promisify(fchown) };
const sync = promisify(fsync);

function wrap(opened: number): OpenFile {
  // A number that is closed may be given to another file at once, so it is forgotten before.
  let file = opened;
  return {
    stat: async () => toFileStat(fstatSync(file, { bigint: true })),
    read: async (into, offset, length, position) =>
      length <= ONE_PAGE
        ? readSync(file, into, offset, length, position)
        : (await readLater(file, into, offset, length, position)).bytesRead,
    write: async (from, offset, length) => (await writeLater(file, from, offset, length)).bytesWritten,
    truncate: (size) => later.truncate(file, size),
    chmod: (mode) => later.chmod(file, mode),
    chown: (uid, gid) => later.chown(file, uid, gid),
    sync: () => sync(file),
    close: async () => {
      const closing = file;
      file = -1;
      closeSync(closing);
    },
  };
}

function toFileStat(stat: BigIntStats): FileStat {
  return {
    kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'link' : 'other',
    size: Number(stat.size),
    mode: Number(stat.mode) & 0o7777,
    uid: Number(stat.uid),
    gid: Number(stat.gid),
    mtimeNs: stat.mtimeNs,
    ctimeNs: stat.ctimeNs,
    identity: `${stat.dev}:${stat.ino}`,
  };
}

/** The real file system behind the port, and the ways in which documents open files. */
import { type BigIntStats, constants } from 'node:fs';
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  unlink,
} from 'node:fs/promises';
import type { FileStat, Files, OpenFile } from '../ports/files.ts';

// Absent on Windows, where neither following links at the last step nor blocking on a FIFO can be switched off.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
/** Without it, opening a FIFO that was swapped in after the check would wait for a writer for ever. */
const NO_WAIT = constants.O_NONBLOCK ?? 0;

export const OPEN_READ = constants.O_RDONLY | NO_FOLLOW | NO_WAIT;
export const OPEN_APPEND = constants.O_RDWR | constants.O_APPEND | NO_FOLLOW | NO_WAIT;
export const OPEN_NEW = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;
export const OPEN_FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);

export const nodeFiles: Files = {
  open: async (path, flags, mode) => wrap(await open(path, flags, mode)),
  lstat: async (path) => toFileStat(await lstat(path, { bigint: true })),
  realpath,
  rename,
  link,
  unlink,
  mkdir: (path, mode) => mkdir(path, { mode }).then(() => {}),
  readdir,
};

function wrap(handle: FileHandle): OpenFile {
  return {
    stat: async () => toFileStat(await handle.stat({ bigint: true })),
    read: async (into, offset, length, position) =>
      (await handle.read(into, offset, length, position)).bytesRead,
    write: async (from, offset, length) => (await handle.write(from, offset, length)).bytesWritten,
    truncate: (size) => handle.truncate(size),
    chmod: (mode) => handle.chmod(mode),
    chown: (uid, gid) => handle.chown(uid, gid),
    sync: () => handle.sync(),
    close: () => handle.close(),
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

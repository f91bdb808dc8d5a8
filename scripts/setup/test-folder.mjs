// Where tests make their workspaces: in memory if there is room, because thousands of them are synced to a disk otherwise.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say } from './run.mjs';

const IN_MEMORY = '/dev/shm';
/** Several times what the whole run has at any moment, databases of Postgres and a browser's files included. */
const ENOUGH_BYTES = 8 * 2 ** 30;
/** Says that the folder for temporary files is one of ours already. */
const CHOSEN = 'KEEPSAKE_TEST_FOLDER';

/** Bytes that are free in a folder, none where there is no such folder. @param {string} folder */
function roomIn(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** Removes the folders of runs that were killed: what they left takes memory. @param {string} parent */
function sweep(parent) {
  for (const name of readdirSync(parent)) {
    const pid = /^kt-([0-9a-z]+)-/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number.parseInt(pid, 36))) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // It belongs to another user, who will sweep it.
    }
  }
}

/**
 * Makes a folder for the temporary files of everything that is started from here on, unless a program above has made one;
 * returns how to remove it. The name is short because sockets lie in it, whose paths may have 107 characters.
 * @param {NodeJS.ProcessEnv} env
 */
export function useTestFolder(env) {
  if (env[CHOSEN] !== undefined) return () => {};
  const isOnDisk = Boolean(env.KEEPSAKE_TEST_ON_DISK) || roomIn(IN_MEMORY) < ENOUGH_BYTES;
  const parent = isOnDisk ? tmpdir() : IN_MEMORY;
  sweep(parent);
  const folder = mkdtempSync(join(parent, `kt-${process.pid.toString(36)}-`));
  // As the folder that it stands for: some programs run as somebody else.
  chmodSync(folder, 0o1777);
  if (!isOnDisk) say(`Tests write to ${folder}, which is memory; with KEEPSAKE_TEST_ON_DISK=1 to the disk.`);
  env.TMPDIR = folder;
  env[CHOSEN] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

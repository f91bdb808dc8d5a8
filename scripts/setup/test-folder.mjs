// Where tests make their workspaces: in memory if there is room, because thousands of them are synced to a disk otherwise.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say } from './run.mjs';

const IN_MEMORY = '/dev/shm';
/** Some times what the whole run has at any moment, databases of Postgres and a browser's files included. */
const ENOUGH_BYTES = 8 * 2 ** 30;

/** Bytes that are free in a folder, none where there is no such folder. @param {string} folder */
function roomIn(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/**
 * Makes it the folder for temporary files of everything that is started from here on; returns how to remove it. The name is
 * short because sockets lie in it, whose paths may have 107 characters.
 * @param {NodeJS.ProcessEnv} env
 */
export function useTestFolder(env) {
  const isOnDisk = Boolean(env.KEEPSAKE_TEST_ON_DISK) || roomIn(IN_MEMORY) < ENOUGH_BYTES;
  const folder = mkdtempSync(join(isOnDisk ? tmpdir() : IN_MEMORY, 'kt-'));
  // As the folder that it stands for: some programs run as somebody else.
  chmodSync(folder, 0o1777);
  if (!isOnDisk) say(`Tests write to ${folder}, which is memory; with KEEPSAKE_TEST_ON_DISK=1 to the disk.`);
  env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

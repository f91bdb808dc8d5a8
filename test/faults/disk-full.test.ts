/** A disk without room: a clear refusal, nothing that was acknowledged is lost, and the same client goes on afterwards. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chooseSeed } from './support/chance.ts';
import { runChild } from './support/children.ts';
import type { FillDiskOptions, FillDiskReport } from './support/tasks/fill-disk.ts';
import { inFolder } from './support/workspace.ts';

/** A mount namespace of its own: the small file system vanishes with the child. */
const NAMESPACE =
  process.getuid?.() === 0 ? ['unshare', '--mount'] : ['unshare', '--map-root-user', '--mount'];
const MOUNT = 'mount -t tmpfs -o size=4m tmpfs "$1" && shift && exec "$@"';

function onSmallDisk(folder: string): string[] {
  return [...NAMESPACE, 'sh', '-c', MOUNT, 'sh', folder];
}

function mayMount(folder: string): boolean {
  const [command, ...args] = [...onSmallDisk(folder), 'true'];
  return spawnSync(command!, args).status === 0;
}

async function fill(way: FillDiskOptions['way'], folder: string, under: string[]): Promise<FillDiskReport> {
  const seed = chooseSeed();
  const [result] = await runChild<'fill-disk', FillDiskReport>('fill-disk', { folder, seed, way }, { under });
  const { acknowledgedBefore, acknowledgedAfter, found, refusals } = result!;
  console.log(
    `disk-full by ${way}: seed ${seed}, acknowledged ${acknowledgedBefore} + ${acknowledgedAfter}, ` +
      `refused ${refusals.length}, found ${found}`,
  );
  return result!;
}

function expectNothingLost(result: FillDiskReport): void {
  expect(result.acknowledgedBefore).toBeGreaterThan(0);
  expect(result.acknowledgedAfter).toBe(10);
  expect(result.refusals.length).toBeGreaterThan(0);
  expect(result.readableWhileFull).toBe(result.acknowledgedBefore);
  expect(result.openedAfter).toBe(true);
  expect(result.missing).toEqual([]);
  expect(result.found).toBe(result.acknowledgedBefore + result.acknowledgedAfter);
  expect(result.damage).toEqual([]);
}

it('refuses with STORAGE_FULL on a full file system', () =>
  inFolder(async (folder) => {
    const mount = join(folder, 'disk');
    mkdirSync(mount);
    if (!mayMount(mount)) {
      // The refusal itself is also proved in disk-io.test.ts, where every write answers ENOSPC.
      console.warn(
        'disk-full: this machine forbids mounting; a limit on file sizes takes the place of a full disk.',
      );
      expectNothingLost(await fill('limit', folder, []));
      return;
    }
    const result = await fill('tmpfs', mount, onSmallDisk(mount));
    expectNothingLost(result);
    for (const refusal of [...result.refusals, result.refusedOpening]) {
      expect(refusal?.code).toBe('STORAGE_FULL');
      expect(refusal?.hint).toMatch(/free some space/i);
    }
  }));

it('survives a limit on the size of files', () =>
  inFolder(async (folder) => {
    const result = await fill('limit', folder, []);
    expectNothingLost(result);
    for (const refusal of [...result.refusals, result.refusedOpening]) {
      expect(refusal?.code).toMatch(/^STORAGE_(FULL|FAILED)$/);
      expect(refusal?.hint).not.toBeNull();
    }
  }));

/** Checks that the disk has enough free space for the next operation. */
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Finding } from '../ports/maintenance.ts';

const MEGABYTE = 1024 * 1024;
/** A write needs some pages, a backup a copy of the database; below this either may fail at any moment. */
const TOO_LITTLE = 20 * MEGABYTE;
const LITTLE = 500 * MEGABYTE;

function sizeText(bytes: number): string {
  const gigabytes = bytes / MEGABYTE / 1024;
  return gigabytes >= 1 ? `${gigabytes.toFixed(1)} GB` : `${Math.floor(bytes / MEGABYTE)} MB`;
}

export async function examineDisk(folder: string): Promise<Finding[]> {
  let place = folder;
  while (!existsSync(place) && place !== dirname(place)) place = dirname(place);
  const { bavail, bsize } = await statfs(place);
  const free = bavail * bsize;
  const message = `The disk has ${sizeText(free)} free.`;
  if (free >= LITTLE) return [{ check: 'disk.free', severity: 'ok', message }];
  const hint = 'Free some space. A write that does not fit fails and changes nothing.';
  return [{ check: 'disk.free', severity: free < TOO_LITTLE ? 'problem' : 'notice', message, hint }];
}

/** Numbers of file systems behind a network, as Linux has them. */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x00c36400, 'CephFS'],
  [0x01021997, '9p'],
  [0x5346414f, 'AFS'],
]);

export const networkDrive = (type: number): string | undefined => NETWORK.get(type >>> 0);

/** A network drive may lie about locks and about what has reached the disk. */
export async function examineDrive(folder: string): Promise<Finding[]> {
  if (!existsSync(folder)) return [];
  const kind = networkDrive((await statfs(folder)).type);
  if (kind === undefined) return [];
  return [
    {
      check: 'workspace.drive',
      severity: 'notice',
      message: `The workspace is on a network drive (${kind}), where locks and syncing are not reliable.`,
      hint: 'Keep it on a local disk or a block device; for several machines use Postgres.',
    },
  ];
}

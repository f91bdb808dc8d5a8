/** Checks with a lease that all servers on one Postgres use the same workspace folder, unless they are configured not to. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { Lease, LeaseStore } from '../ports/lease-store.ts';
import type { Finding } from '../ports/maintenance.ts';

export interface FolderPlace {
  readonly config: Pick<Config, 'storage' | 'server'>;
  readonly paths: { readonly root: string; readonly dataFolder: string };
  readonly storage: { readonly leases: LeaseStore };
  readonly clock: Clock;
}

export const FOLDER_LEASE = 'workspace-folder';
const SPAN_MS = 30_000;
const RENEW_MS = 10_000;
const FOR_EVER = Number.MAX_SAFE_INTEGER;

/** What marks a folder, wherever it is mounted: a random id in a file. */
function folderId(dataFolder: string): string {
  const file = join(dataFolder, 'workspace-id');
  mkdirSync(dataFolder, { recursive: true });
  try {
    writeFileSync(file, `${randomUUID()}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}

const idIn = (dataFolder: string): string | undefined => {
  try {
    return readFileSync(join(dataFolder, 'workspace-id'), 'utf8').trim();
  } catch {
    return undefined;
  }
};

/** Only an engine with a server of its own can be shared by folders. */
const isConcerned = ({ storage, server }: FolderPlace['config']): boolean =>
  storage.records.driver === 'postgres' && server.folders === 'shared';

async function otherFolder(leases: LeaseStore): Promise<string> {
  const [lease] = await leases.list(FOLDER_LEASE);
  return lease?.note ?? 'another folder';
}

/**
 * Claims the database for the folder of this workspace, until what it returns is called. Refuses when a server with
 * another folder is running: sections, MEMORY.md, archives, notes and keys would differ between the two.
 */
export async function claimFolder(
  { config, paths, storage, clock }: FolderPlace,
  onLost: () => void = () => {},
): Promise<() => void> {
  if (!isConcerned(config)) return () => {};
  const { leases } = storage;
  const owner = folderId(paths.dataFolder);
  const take = (): Promise<Lease | null> => {
    const now = clock.now();
    return leases.take(FOLDER_LEASE, { owner, now, until: now + SPAN_MS });
  };
  if ((await take()) === null) {
    throw new KeepsakeError(
      'CONFLICT',
      `Another server uses this database with another folder: ${await otherFolder(leases)}. Sections, MEMORY.md, archives, notes and keys are files, so the two servers would give different answers.`,
      {
        hint: 'Give all servers the same folder, or set server.folders to "separate" in the keepsake.jsonc of each server; they then refuse sections, notes and archives. If the other server has just been stopped, try again in half a minute.',
      },
    );
  }
  await leases.note(FOLDER_LEASE, { owner, note: `${paths.root} on ${hostname()}`, keepUntil: FOR_EVER });
  let isLost = false;
  const renew = async (): Promise<void> => {
    // A database that does not answer is reported elsewhere.
    const renewed = await take().catch(() => undefined);
    if (renewed === null && !isLost) onLost();
    isLost = renewed === null;
  };
  const renewing = setInterval(() => void renew(), RENEW_MS).unref();
  // Not given back: other servers may have the same folder. It ends with its time.
  return () => clearInterval(renewing);
}

/** For doctor: whether a server with another folder uses the database just now. */
export async function examineFolder({ config, paths, storage, clock }: FolderPlace): Promise<Finding[]> {
  if (!isConcerned(config)) return [];
  const check = 'workspace.folder';
  const [lease] = await storage.leases.list(FOLDER_LEASE);
  const isHeld = lease !== undefined && lease.owner !== null && lease.expiresAt > clock.now();
  if (!isHeld || lease.owner === idIn(paths.dataFolder)) {
    return [{ check, severity: 'ok', message: 'No server with another folder uses this database.' }];
  }
  return [
    {
      check,
      severity: 'problem',
      message: `A server with another folder uses this database: ${lease.note ?? 'unknown'}.`,
      hint: 'Sections, MEMORY.md, archives, notes and keys differ between the two. Use one folder, or set server.folders to "separate".',
    },
  ];
}

/** Copies all durable data from one storage to another, for example from SQLite to Postgres. */
import {
  configuredPlace,
  describePlace,
  isStorageThere,
  openStoragePlace,
  placeAsConfig,
  readStoragePlace,
  type StoragePlace,
  setPlaceAside,
} from '../config/index.ts';
import { systemClock } from '../kernel/clock.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import { MIGRATION_MARK } from '../kernel/unfinished-migration.ts';
import type { Storage } from '../ports/storage.ts';
import type { MigrateProgress, MoveReport, Seals, TargetState } from '../transfer/index.ts';
import { forgetMigration, noteMigration } from './migration-note.ts';
import { locate, type WorkspaceTarget } from './target.ts';

export type { MigrateProgress };

export interface MigrateOptions extends WorkspaceTarget {
  /** `sqlite:<file>` or `postgresql://…`; the configured one if not given. */
  readonly from?: string | undefined;
  readonly to: string;
  /** Only says what would be carried. */
  readonly dryRun?: boolean | undefined;
  /** Keeps what the target holds under another name, and begins with an empty one. */
  readonly setAside?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: MigrateProgress) => void) | undefined;
}

interface Route {
  /** Without passwords. */
  readonly from: string;
  readonly to: string;
  /** Runs of swarms, with their states and messages, stay where they are. */
  readonly runsLeft: number;
  /** The block `storage` of keepsake.jsonc that makes the target the storage of the workspace. */
  readonly storage: Record<string, unknown>;
  /** Where that is which was in the target before, with `setAside`. */
  readonly asideAs?: string;
}

export interface AbandonReport {
  readonly outcome: 'abandoned';
  readonly to: string;
  /** Where the unfinished copy is now; absent when there was none. */
  readonly asideAs?: string;
}

export interface MigratePlan extends Route {
  readonly outcome: 'planned';
  readonly target: TargetState;
  /** What the source holds. */
  readonly source: Seals;
}

export type MigrateReport = (Route & MoveReport) | MigratePlan;

/** More are not counted. */
const MOST_RUNS = 10_000;

/** Few programs move anything, and all would have to load it. */
const transfer = () => import('../transfer/index.ts');

export async function workspaceMigrate({
  from: named,
  to: wanted,
  dryRun = false,
  setAside = false,
  signal,
  onProgress,
  ...workspace
}: MigrateOptions): Promise<MigrateReport> {
  const { root, config, paths } = locate(workspace);
  const from =
    named === undefined ? configuredPlace(config.storage, paths.database) : readStoragePlace(named, root);
  const to = readStoragePlace(wanted, root);
  await refuseUseless(from, to);
  const source = await openStoragePlace(from);
  try {
    const { moveStorage, sealsOf, targetState } = await transfer();
    const runs = await source.runs.list({ limit: MOST_RUNS });
    const route = {
      from: describePlace(from),
      to: describePlace(to),
      runsLeft: runs.length,
      storage: placeAsConfig(to, root),
    };
    if (dryRun) {
      const state = await stateOf(to, route.from);
      return { ...route, outcome: 'planned', target: state, source: await sealsOf(source) };
    }
    const aside =
      setAside && (await isStorageThere(to))
        ? { asideAs: await setPlaceAside(to, stampOf(systemClock.now())) }
        : {};
    const target = await openStoragePlace(to);
    try {
      const isUsed = (await targetState(target, route.from)) === 'used';
      if (!isUsed)
        noteMigration(paths.dataFolder, { from: route.from, to: route.to, startedAt: systemClock.now() });
      const moved = await moveStorage(source, target, { from: route.from, signal, onProgress });
      forgetMigration(paths.dataFolder);
      return { ...route, ...aside, ...moved };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Gives up a migration that was interrupted: the unfinished copy is kept under another name. */
export async function abandonMigration({
  to: wanted,
  ...workspace
}: Pick<MigrateOptions, 'to' | 'workspace'>): Promise<AbandonReport> {
  const { root, paths } = locate(workspace);
  const place = readStoragePlace(wanted, root);
  const to = describePlace(place);
  const isThere = await isStorageThere(place);
  const asideAs =
    isThere && (await isUnfinished(place))
      ? await setPlaceAside(place, stampOf(systemClock.now()))
      : undefined;
  forgetMigration(paths.dataFolder);
  if (asideAs === undefined && isThere) {
    throw new KeepsakeError('CONFLICT', `${to} has no unfinished migration. Nothing was changed.`, {
      hint: 'To start with an empty target instead, use --set-aside.',
    });
  }
  return { outcome: 'abandoned', to, ...(asideAs === undefined ? {} : { asideAs }) };
}

async function isUnfinished(place: StoragePlace): Promise<boolean> {
  const target = await openStoragePlace(place);
  try {
    return (await target.log.journal(MIGRATION_MARK)) !== null;
  } finally {
    await target.close();
  }
}

/** 20260131T… as digits, which fit into the name of a file and of a schema. */
const stampOf = (at: number): string => new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 14);

/** A source that is not there would be made by opening it. */
async function refuseUseless(from: StoragePlace, to: StoragePlace): Promise<void> {
  if (describePlace(from) === describePlace(to)) {
    throw new KeepsakeError('INVALID_INPUT', 'The source and the target are the same storage.', {
      hint: 'Pass another target with --to.',
    });
  }
  if (await isStorageThere(from)) return;
  throw new KeepsakeError('NOT_FOUND', `There is nothing to move: ${describePlace(from)} has no memories.`, {
    hint: 'Pass the storage to move with --from, for example "sqlite:data/keepsake.db".',
  });
}

async function stateOf(to: StoragePlace, from: string): Promise<TargetState> {
  if (!(await isStorageThere(to))) return 'empty';
  let target: Storage | undefined;
  try {
    const { targetState } = await transfer();
    target = await openStoragePlace(to);
    return await targetState(target, from);
  } finally {
    await target?.close();
  }
}

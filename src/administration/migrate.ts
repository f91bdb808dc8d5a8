/** Moves all that lasts from one storage into another: SQLite to Postgres, back, or to another place of the same kind. */
import {
  configuredPlace,
  describePlace,
  isStorageThere,
  openStoragePlace,
  placeAsConfig,
  readStoragePlace,
  type StoragePlace,
} from '../config/index.ts';
import { KeepsakeError } from '../kernel/errors.ts';
import type { Storage } from '../ports/storage.ts';
import type { MigrateProgress, MoveReport, Seals, TargetState } from '../transfer/index.ts';
import { locate, type WorkspaceTarget } from './target.ts';

export type { MigrateProgress };

export interface MigrateOptions extends WorkspaceTarget {
  /** `sqlite:<file>` or `postgresql://…`; the configured one if not given. */
  readonly from?: string | undefined;
  readonly to: string;
  /** Only says what would be carried. */
  readonly dryRun?: boolean | undefined;
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
    const { moveStorage, sealsOf } = await transfer();
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
    const target = await openStoragePlace(to);
    try {
      return { ...route, ...(await moveStorage(source, target, { from: route.from, signal, onProgress })) };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** A source that is not there would be made by opening it. */
async function refuseUseless(from: StoragePlace, to: StoragePlace): Promise<void> {
  if (describePlace(from) === describePlace(to)) {
    throw new KeepsakeError('INVALID_INPUT', 'Source and target are the same storage.', {
      hint: 'Name another one with --to.',
    });
  }
  if (await isStorageThere(from)) return;
  throw new KeepsakeError('NOT_FOUND', `There is nothing to move: ${describePlace(from)} holds no memory.`, {
    hint: 'Name the storage to move with --from, for example "sqlite:data/keepsake.db".',
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

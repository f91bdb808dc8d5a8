/** Writes until the disk is full, makes room, and goes on with the same client; says what was kept. */
import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '../../../../src/index.ts';
import { createChance } from '../chance.ts';
import { damageOf } from '../intact.ts';
import { type Failure, failureOf, report } from '../report.ts';
import { hashOf, makeText } from '../texts.ts';
import { databaseOf, withDatabase } from '../workspace.ts';

export interface FillDiskOptions {
  readonly folder: string;
  readonly seed: number;
  /** `tmpfs`: the folder is a small file system. `limit`: no file may grow beyond a limit of the process. */
  readonly way: 'tmpfs' | 'limit';
}

export interface FillDiskReport {
  readonly acknowledgedBefore: number;
  readonly acknowledgedAfter: number;
  /** What adds answered while there was no room. */
  readonly refusals: readonly Failure[];
  readonly readableWhileFull: number;
  /** What opening a new workspace answered while there was no room. */
  readonly refusedOpening: Failure | null;
  readonly openedAfter: boolean;
  readonly missing: readonly string[];
  readonly found: number;
  readonly damage: readonly string[];
}

/** From util-linux: changes the limits of a running process. */
const LIMITER = 'prlimit';
const FILE_LIMIT = 1_500_000;

function room(folder: string, way: FillDiskOptions['way']) {
  const ballast = join(folder, 'ballast');
  const limit = (bytes: number | 'unlimited'): void => {
    const { status, stderr } = spawnSync(LIMITER, [`--pid=${process.pid}`, `--fsize=${bytes}:unlimited`]);
    if (status !== 0) throw new Error(`prlimit failed: ${stderr}`);
  };
  if (way === 'limit') {
    return {
      scarce: () => limit(FILE_LIMIT),
      none: () => limit(0),
      plenty: () => limit('unlimited'),
    };
  }
  return {
    scarce: () => writeFileSync(ballast, Buffer.alloc(2_000_000)),
    none: () => {
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(`${ballast}-2`, Buffer.alloc(bavail * bsize));
    },
    plenty: () => {
      for (const name of [ballast, `${ballast}-2`]) rmSync(name, { force: true });
    },
  };
}

async function failure(work: Promise<unknown>): Promise<Failure | null> {
  try {
    await work;
    return null;
  } catch (error) {
    return failureOf(error);
  }
}

export async function run({ folder, seed, way }: FillDiskOptions): Promise<void> {
  const { scarce, none, plenty } = room(folder, way);
  const chance = createChance(seed);
  const workspace = join(folder, 'workspace');
  const settings = { config: { memory: { maxEntries: 100_000 } } };
  const client = createClient({ workspace, ...settings });
  const { memory } = client.agent({ name: 'writer' });
  const kept = new Map<string, string>();
  let number = 0;
  const add = async (): Promise<void> => {
    const text = makeText(`n${number++}`, chance).padEnd(4_000, ' padding');
    const { id } = await memory.add({ content: text });
    kept.set(id, hashOf(text));
  };

  scarce();
  const refusals: Failure[] = [];
  while (refusals.length === 0) {
    const answers = await Promise.all(Array.from({ length: 4 }, () => failure(add())));
    refusals.push(...answers.filter((answer) => answer !== null));
  }
  // A few bytes may have been left, also within the log, where a small write that was refused before may now fit.
  none();
  while (refusals.length < 8) {
    const answer = await failure(add());
    if (answer !== null) refusals.push(answer);
  }
  const acknowledgedBefore = kept.size;
  const readableWhileFull = (await memory.list({ limit: 1_000 })).length;

  const other = createClient({ workspace: join(folder, 'other') });
  const refusedOpening = await failure(other.open());
  plenty();
  const openedAfter = (await failure(other.open())) === null;
  await other.close();
  for (let i = 0; i < 10; i++) await add();
  const acknowledgedAfter = kept.size - acknowledgedBefore;
  await client.close();

  const { rows, damage } = withDatabase(databaseOf(workspace), (database) => ({
    rows: database.prepare('SELECT id, content FROM records').all() as { id: string; content: string }[],
    damage: damageOf(database),
  }));
  const stored = new Map(rows.map(({ id, content }) => [id, hashOf(content)]));
  const missing = [...kept].filter(([id, hash]) => stored.get(id) !== hash).map(([id]) => id);
  const result: FillDiskReport = {
    acknowledgedBefore,
    acknowledgedAfter,
    refusals,
    readableWhileFull,
    refusedOpening,
    openedAfter,
    missing,
    found: rows.length,
    damage,
  };
  report(result);
}

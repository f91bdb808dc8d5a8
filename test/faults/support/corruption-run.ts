/** The corruption proof: a workspace that a killed process left behind is damaged in many ways, and nothing may be lost in silence. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { workspaceDoctor } from '../../../src/administration/doctor.ts';
import { createClient } from '../../../src/index.ts';
import { type Chance, createChance } from './chance.ts';
import { databaseOf, inFolder } from './workspace.ts';

export interface CorruptionOptions {
  readonly variants: number;
  readonly seed: number;
  readonly onProgress?: (summary: CorruptionSummary) => void;
}

export interface CorruptionSummary {
  variants: number;
  /** Nothing that was stored is missing or changed. */
  intact: number;
  /** The command refused, with an error that names the file. */
  refused: number;
  /** The command answered with less, and doctor names a problem. */
  reported: number;
  /** What cannot be told from a power failure: only writes of the last moment before the kill are gone. */
  lastMoment: number;
  /** Stored memories or messages are missing or changed, and neither the command nor doctor says so. */
  silent: string[];
}

const MEMORIES = 120;
const MESSAGES = 40;
/** What a killed process wrote after the last time that it noted how far it was. */
const LAST_MOMENT = 8;

/** Everything of the workspace that must not change. */
type Content = ReadonlyMap<string, string>;

async function contentOf(workspace: string): Promise<Content> {
  const client = createClient({ workspace });
  try {
    const memories = await client.memory.list({ state: 'any', limit: 1_000 });
    const messages = await client.agent({ name: 'alice' }).log.get({ limit: 200 });
    return new Map([
      ...memories.map(({ id, content, category, tags, metadata, version }): [string, string] => [
        id,
        JSON.stringify({ content, category, tags, metadata, version }),
      ]),
      ...messages.map(({ id, role, content }): [string, string] => [id, JSON.stringify({ role, content })]),
    ]);
  } finally {
    await client.close();
  }
}

async function write(workspace: string, from: number, to: number): Promise<void> {
  const client = createClient({ workspace });
  const alice = client.agent({ name: 'alice' });
  for (let i = from; i < to; i++) {
    const content = `Fact ${i}: the sluice of basin ${i * 7919} opens at ${i % 24} o'clock, as the keeper says.`;
    await alice.memory.add({ content, category: `basin-${i % 5}`, tags: [`t${i}`], metadata: { i } });
    if (i % (MEMORIES / MESSAGES) === 0) await alice.log.add('user', `Message ${i} about basin ${i}`);
  }
  await client.close();
}

/** Database and log as a killed process leaves them: some of it only in the log. */
async function leaveBehind(workspace: string, left: string): Promise<void> {
  await write(workspace, 0, MEMORIES / 2);
  const holder = createClient({ workspace });
  await holder.memory.list({ limit: 1 });
  // Another connection keeps the log from being emptied when the writer closes.
  await write(workspace, MEMORIES / 2, MEMORIES - LAST_MOMENT);
  await new Promise((resolve) => setTimeout(resolve, 600));
  cpSync(workspace, `${left}-noted`, { recursive: true });
  await write(workspace, MEMORIES - LAST_MOMENT, MEMORIES);
  cpSync(workspace, left, { recursive: true });
  // As a kill leaves it: what was noted is a little older than what was written.
  const note = `${databaseOf(left)}.seen`;
  if (existsSync(note)) copyFileSync(`${databaseOf(`${left}-noted`)}.seen`, note);
  await holder.close();
}

type Damage = (database: string, chance: Chance, older: string) => string;

function patch(file: string, change: (bytes: Buffer) => Buffer | undefined): void {
  const bytes = readFileSync(file);
  writeFileSync(file, change(bytes) ?? bytes);
}

const flip =
  (side: string): Damage =>
  (database, chance) => {
    let at = 0;
    patch(`${database}${side}`, (bytes) => {
      at = chance.between(0, bytes.length - 1);
      bytes[at]! ^= 1 << chance.between(0, 7);
      return undefined;
    });
    return `a flipped bit at ${at}`;
  };

const overwrite =
  (side: string, size: number, value: (chance: Chance) => number): Damage =>
  (database, chance) => {
    let at = 0;
    patch(`${database}${side}`, (bytes) => {
      at = chance.between(0, Math.max(0, Math.floor(bytes.length / size) - 1)) * size;
      for (let i = at; i < Math.min(bytes.length, at + size); i++) bytes[i] = value(chance);
      return undefined;
    });
    return `${size} bytes overwritten at ${at}`;
  };

const cut =
  (side: string): Damage =>
  (database, chance) => {
    let at = 0;
    patch(`${database}${side}`, (bytes) => {
      at = chance.between(1, bytes.length - 1);
      return bytes.subarray(0, at);
    });
    return `cut off at ${at}`;
  };

const old = (file: string): void => utimesSync(file, 1_700_000_000, 1_700_000_000);

/** Each with its weight. */
const DAMAGES: readonly (readonly [name: string, weight: number, damage: Damage])[] = [
  ['wal: ', 24, flip('-wal')],
  ['db: ', 24, flip('')],
  ['wal page zeroed: ', 6, overwrite('-wal', 4_096, () => 0)],
  ['db page zeroed: ', 8, overwrite('', 4_096, () => 0)],
  ['db sector of noise: ', 8, overwrite('', 512, (chance) => chance.between(0, 255))],
  ['wal sector of noise: ', 6, overwrite('-wal', 512, (chance) => chance.between(0, 255))],
  ['db ', 6, cut('')],
  ['wal ', 6, cut('-wal')],
  [
    'db emptied',
    2,
    (database) => {
      writeFileSync(database, '');
      old(database);
      return '';
    },
  ],
  [
    'db and wal emptied',
    2,
    (database) => {
      for (const file of [database, `${database}-wal`]) writeFileSync(file, '');
      return '';
    },
  ],
  [
    'wal emptied',
    2,
    (database) => {
      writeFileSync(`${database}-wal`, '');
      return '';
    },
  ],
  [
    'wal deleted',
    2,
    (database) => {
      rmSync(`${database}-wal`);
      rmSync(`${database}-shm`, { force: true });
      return '';
    },
  ],
  [
    'db deleted',
    2,
    (database) => {
      rmSync(database);
      return '';
    },
  ],
  [
    'all deleted',
    1,
    (database) => {
      for (const side of ['', '-wal', '-shm']) rmSync(`${database}${side}`, { force: true });
      return '';
    },
  ],
  [
    'replaced by an older copy',
    1,
    (database, _, older) => {
      for (const side of ['-wal', '-shm']) rmSync(`${database}${side}`, { force: true });
      copyFileSync(older, database);
      return '';
    },
  ],
];

function drawDamage(chance: Chance): readonly [string, number, Damage] {
  const total = DAMAGES.reduce((sum, [, weight]) => sum + weight, 0);
  const all = DAMAGES.flatMap((damage) => Array<typeof damage>(damage[1]).fill(damage));
  return all[chance.between(0, total - 1)]!;
}

/** Ids that are missing, or say something else. */
const lost = (before: Content, after: Content): string[] =>
  [...before].filter(([id, text]) => after.get(id) !== text).map(([id]) => id);

async function doctor(workspace: string): Promise<string[]> {
  const program = { version: '0', oldestNode: '22.0' };
  const { findings } = await workspaceDoctor({ workspace, fix: false, now: Date.now(), program });
  return findings.filter(({ severity }) => severity !== 'ok').map(({ check }) => check);
}

export async function runCorruptions({
  variants,
  seed,
  onProgress,
}: CorruptionOptions): Promise<CorruptionSummary> {
  const chance = createChance(seed);
  const summary = { variants: 0, intact: 0, refused: 0, reported: 0, lastMoment: 0, silent: [] as string[] };
  await inFolder(async (folder) => {
    const left = join(folder, 'left');
    const older = join(folder, 'older.db');
    mkdirSync(left);
    await write(join(folder, 'short'), 0, 10);
    copyFileSync(databaseOf(join(folder, 'short')), older);
    await leaveBehind(join(folder, 'live'), left);
    const sound = join(folder, 'sound');
    cpSync(left, sound, { recursive: true });
    const before = await contentOf(sound);
    const usual = await doctor(sound);
    // Ids grow with time: the last ones are of the last moment.
    const youngest = new Set([...before.keys()].filter((id) => isOfLastMoment(before.get(id)!)));
    for (let i = 0; i < variants; i++) {
      const workspace = join(folder, 'damaged');
      cpSync(left, workspace, { recursive: true });
      const [name, , damage] = drawDamage(chance);
      const what = `${name}${damage(databaseOf(workspace), chance, older)}`;
      await judge(workspace, what);
      rmSync(workspace, { recursive: true });
      summary.variants++;
      onProgress?.(summary);
    }

    async function judge(workspace: string, what: string): Promise<void> {
      // First doctor, which looks only; then a command, which may change what doctor would see.
      const found = (await doctor(workspace)).filter((check) => !usual.includes(check));
      let after: Content;
      try {
        after = await contentOf(workspace);
      } catch (error) {
        const { code, message, hint = '' } = error as { code?: string; message: string; hint?: string };
        const isClear = code !== undefined && message.includes('keepsake.db');
        if (isClear && /keepsake (doctor|restore)/.test(hint)) summary.refused++;
        else summary.silent.push(`${what}: unclear error ${code}: ${message} (${hint})`);
        return;
      }
      const missing = lost(before, after);
      if (missing.length === 0) summary.intact++;
      else if (found.length > 0) summary.reported++;
      else if (missing.every((id) => youngest.has(id) && !after.has(id))) summary.lastMoment++;
      else summary.silent.push(`${what}: ${missing.length} of ${before.size} are lost or changed`);
    }
  });
  return summary;
}

function isOfLastMoment(text: string): boolean {
  const number = /(?:Fact|Message) (\d+)/.exec(text)?.[1];
  return number !== undefined && Number(number) >= MEMORIES - LAST_MOMENT;
}

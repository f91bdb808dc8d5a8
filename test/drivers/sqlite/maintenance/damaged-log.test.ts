/** A write-ahead log that was left behind and damaged is noticed before SQLite drops what is behind the damage. */
import { copyFileSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, it } from 'vitest';
import { examineSqlite } from '../../../../src/drivers/sqlite/maintenance/index.ts';
import { openDatabase } from '../../../../src/drivers/sqlite/open-database.ts';
import { damageIn } from '../../../../src/drivers/sqlite/write-ahead-log.ts';
import { seededRandom } from '../../../../src/testing/seeded-random.ts';
import { campaign } from '../../../fixtures/campaign.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { testWorkspace } from '../../../fixtures/workspace.ts';

const COMMITS = 20;
const BUSY = { busyTimeoutMs: 1_000 };

/** Database and log as a killed process leaves them: one row in each of the transactions. */
async function leftBehind(): Promise<{ file: string; log: Buffer; database: Buffer }> {
  const folder = temporaryFolder();
  const source = join(folder, 'live.db');
  const database = await openDatabase({ file: source, ...BUSY });
  database.pragma('wal_checkpoint(TRUNCATE)');
  for (let i = 0; i < COMMITS; i++)
    database.prepare('INSERT INTO meta (key, value) VALUES (?, ?)').run(`row-${i}`, 'x');
  const file = join(folder, 'keepsake.db');
  copyFileSync(source, file);
  copyFileSync(`${source}-wal`, `${file}-wal`);
  database.close();
  return { file, log: readFileSync(`${file}-wal`), database: readFileSync(file) };
}

function rowsIn(file: string): number {
  const database = new SqliteDatabase(file);
  try {
    return database.prepare("SELECT count(*) FROM meta WHERE key GLOB 'row-*'").pluck().get() as number;
  } finally {
    database.close();
  }
}

it('a flipped bit in any place of the log is noticed, unless it hits the last transaction alone', async () => {
  const { log } = await leftBehind();
  expect(damageIn(log)).toBeUndefined();
  const seed = Number(process.hrtime.bigint() % 1_000_000n);
  const random = seededRandom(seed);
  let noticed = 0;
  const cases = campaign(200, 5_000);
  for (let i = 0; i < cases; i++) {
    const bit = random.below(log.length * 8);
    const damaged = Buffer.from(log);
    damaged[bit >> 3]! ^= 1 << (bit & 7);
    const damage = damageIn(damaged);
    if (damage !== undefined) noticed++;
    // What SQLite would still see, without being told of any damage.
    else expect(bit >> 3, `seed ${seed}, bit ${bit}`).toBeGreaterThan(log.length * (1 - 2 / COMMITS));
  }
  expect(noticed).toBeGreaterThan(cases * 0.7);
});

it('a log that is cut off, or has older frames behind its end, is no damage', async () => {
  const { log } = await leftBehind();
  for (const part of [0.1, 0.5, 0.77, 0.99])
    expect(damageIn(log.subarray(0, Math.floor(log.length * part)))).toBeUndefined();
  expect(damageIn(Buffer.concat([log, Buffer.alloc(8_240, 7)]))).toBeUndefined();
});

it('commands refuse, doctor names it, and doctor --fix puts a copy aside and keeps what is intact', async () => {
  const { file, log, database } = await leftBehind();
  const damaged = Buffer.from(log);
  damaged[Math.floor(log.length / 2)]! ^= 1;
  writeFileSync(`${file}-wal`, damaged);
  await expect(openDatabase({ file, ...BUSY })).rejects.toMatchObject({
    code: 'CORRUPT',
    message: expect.stringMatching(/-wal is damaged: \d+ transactions behind the damage/),
    hint: expect.stringContaining('keepsake doctor --fix'),
  });
  const now = Date.now();
  const [, found] = await examineSqlite({ file, fix: false, now, ...BUSY });
  expect(found).toMatchObject({ check: 'database.log', severity: 'problem', fixable: true });
  expect([readFileSync(file), readFileSync(`${file}-wal`)]).toEqual([database, damaged]);

  const fixed = await examineSqlite({ file, fix: true, now, ...BUSY });
  expect(fixed.find(({ check }) => check === 'database.log')).toMatchObject({ fixed: true });
  const copy = readdirSync(join(file, '..')).find((name) => /^keepsake-damaged-.*\.db-wal$/.test(name))!;
  expect(readFileSync(join(file, '..', copy))).toEqual(damaged);
  (await openDatabase({ file, ...BUSY })).close();
  const left = rowsIn(file);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(COMMITS);
});

it('a database that is empty although it was made before is damage; one that is being made is not', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'keepsake.db');
  writeFileSync(file, '');
  (await openDatabase({ file, ...BUSY })).close();
  writeFileSync(file, '');
  const old = new Date(Date.now() - 3_600_000);
  utimesSync(file, old, old);
  await expect(openDatabase({ file, ...BUSY })).rejects.toMatchObject({
    code: 'CORRUPT',
    hint: expect.stringContaining('restore'),
  });
  const [, found] = await examineSqlite({ file, fix: true, now: Date.now(), ...BUSY });
  expect(found).toMatchObject({ check: 'database.emptied', severity: 'problem' });
});

it('a database that is gone, cut off or replaced by an older copy is refused; doctor --fix goes on with what is there', async () => {
  const { folder, open } = testWorkspace();
  const file = join(folder, 'data/keepsake.db');
  const add = async (...contents: string[]) => {
    const client = open();
    for (const content of contents) await client.agent({ name: 'alice' }).memory.add({ content });
    await client.close();
  };
  await add('first');
  const older = readFileSync(file);
  await add('second', 'third');
  writeFileSync(file, older);
  await expect(open().memory.list()).rejects.toMatchObject({
    code: 'CORRUPT',
    message: expect.stringMatching(/has lost its newest changes: 2 events .* are missing/),
    hint: expect.stringContaining('keepsake doctor --fix'),
  });
  const look = async (fix: boolean) => {
    const findings = await examineSqlite({ file, fix, now: Date.now(), ...BUSY });
    return findings.find(({ check }) => check === 'database.newest' || check === 'database.gone');
  };
  expect(await look(false)).toMatchObject({ severity: 'problem', fixable: true });
  expect(await look(true)).toMatchObject({ fixed: true });
  expect(readdirSync(join(folder, 'data')).some((name) => name.startsWith('keepsake-damaged-'))).toBe(true);
  expect(await open().memory.list()).toMatchObject([{ content: 'first' }]);
  await add('fourth');
  for (const side of ['', '-wal', '-shm']) rmSync(`${file}${side}`, { force: true });
  await expect(open().memory.list()).rejects.toMatchObject({
    code: 'CORRUPT',
    message: expect.stringContaining('is gone'),
    hint: expect.stringContaining('keepsake restore'),
  });
  expect(await look(true)).toMatchObject({ check: 'database.gone', severity: 'problem' });
});

/** What is behind the damage of a write-ahead log is saved, also where SQLite used the file of the log again. */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, it } from 'vitest';
import { salvageHint } from '../../../../src/drivers/sqlite/maintenance/examine-log.ts';
import { examineSqlite } from '../../../../src/drivers/sqlite/maintenance/index.ts';
import { readLog } from '../../../../src/drivers/sqlite/write-ahead-log.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { testWorkspace } from '../../../fixtures/workspace.ts';

const [HEADER, FRAME] = [32, 24 + 4_096];

/** Database and log of a process that was killed after the last of the writes. */
async function leftBehind(before: number, after: number): Promise<{ file: string; log: Buffer }> {
  const { folder, open } = testWorkspace();
  const source = join(folder, 'data/keepsake.db');
  const { memory } = open().agent({ name: 'alice' });
  for (let i = 0; i < before; i++) await memory.add({ content: `The parcel ${i} is in shelf ${i * 7}.` });
  const other = new SqliteDatabase(source);
  other.pragma('wal_checkpoint(RESTART)');
  other.close();
  for (let i = 0; i < after; i++) await memory.add({ content: `The letter ${i} is in drawer ${i * 3}.` });
  const file = join(temporaryFolder(), 'keepsake.db');
  copyFileSync(source, file);
  const log = Buffer.from(readLog(source));
  return { file, log };
}

const logFinding = async (file: string) =>
  (await examineSqlite({ file, fix: true, now: Date.now(), busyTimeoutMs: 1_000 })).find(
    ({ check }) => check === 'database.log',
  );

function framesOf(log: Buffer): { frames: number[]; current: number[] } {
  const salts = (at: number) => log.subarray(at, at + 8).toString('hex');
  const frames = Array.from(
    { length: Math.floor((log.length - HEADER) / FRAME) },
    (_, i) => HEADER + i * FRAME,
  );
  return { frames, current: frames.filter((at) => salts(at + 8) === salts(16)) };
}

it('frames of an earlier round that were not overwritten do not hide those of this round', async () => {
  const { file, log } = await leftBehind(40, 8);
  const { frames, current } = framesOf(log);
  expect(current.length).toBeGreaterThan(4);
  expect(frames.length - current.length).toBeGreaterThan(current.length);
  log[HEADER + 3 * FRAME + 24 + 100]! ^= 1;
  writeFileSync(`${file}-wal`, log);
  const finding = await logFinding(file);
  const [, saved, records, kept] =
    /into (\S+): (\d+) memories .* the database has (\d+) and/.exec(finding!.message) ?? [];
  expect(existsSync(saved ?? '')).toBe(true);
  expect(Number(kept)).toBeLessThan(48);
  expect(Number(records)).toBeGreaterThanOrEqual(47);
  expect(finding!.hint).toContain(`keepsake restore ${saved}`);
});

/** A last frame that is whole and says that the database has more pages than fit into memory. */
function claimPages(log: Buffer, at: number): void {
  log.writeUInt32BE(0xffff_ffff, at + 4);
  let [a, b] = [log.readUInt32BE(at - FRAME + 16), log.readUInt32BE(at - FRAME + 20)];
  const isLittle = log.readUInt32BE(0) === 0x377f0682;
  const word = (place: number) => (isLittle ? log.readUInt32LE(place) : log.readUInt32BE(place));
  for (const place of [at, ...Array.from({ length: 512 }, (_, i) => at + 24 + i * 8)]) {
    a = (a + word(place) + b) >>> 0;
    b = (b + word(place + 4) + a) >>> 0;
  }
  log.writeUInt32BE(a, at + 16);
  log.writeUInt32BE(b, at + 20);
}

it('an error of the salvage is part of the finding, with the copy', async () => {
  const { file, log } = await leftBehind(1, 6);
  claimPages(log, framesOf(log).current.at(-1)!);
  log[HEADER + 3 * FRAME + 24 + 100]! ^= 1;
  writeFileSync(`${file}-wal`, log);
  const { message, hint } = (await logFinding(file))!;
  expect(message).toContain('could not be salvaged: ');
  expect(hint).toContain('backup');
  const [, copy] = /kept in (\S+) and/.exec(message) ?? [];
  expect(readFileSync(`${copy}-wal`)).toEqual(log);
});

it('restoring the saved file is suggested only if it has no less of anything', () => {
  const hint = (records: number, messages: number) =>
    salvageHint({ file: '/s.db', saved: { records, messages }, kept: { records: 5, messages: 5 } });
  expect(hint(5, 9)).toContain('keepsake restore /s.db');
  expect(hint(9, 4)).toContain('fewer messages');
  expect(hint(4, 9)).toContain('fewer memories');
  for (const text of [hint(9, 4), hint(4, 9)]) expect(text).not.toContain('keepsake restore');
});

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { BackupProgress } from '../../../../src/ports/maintenance.ts';
import {
  add,
  checksum,
  fill,
  filledFile,
  hashOfFile,
  open,
  otherProcess,
  pagesOf,
  read,
  temporaryFolder,
  wreckPage,
} from './maintenance-fixture.ts';

describe('backup', () => {
  test('is one private file with everything in it, and says what it is', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'keepsake.db');
    const storage = await open(file);
    await fill(storage);
    const steps: BackupProgress[] = [];
    const target = join(folder, 'new', 'backup.db');

    const report = await storage.maintenance.backup(target, (progress) => steps.push(progress));

    expect(report).toEqual({
      file: target,
      bytes: statSync(target).size,
      records: 121,
      messages: 40,
      sha256: hashOfFile(target),
    });
    expect(checksum(target)).toBe(checksum(file));
    expect(readdirSync(join(folder, 'new'))).toEqual(['backup.db']);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(read(target, (database) => database.pragma('journal_mode', { simple: true }))).toBe('delete');
    expect(steps.at(-1)).toEqual({ done: steps[0]!.total, total: steps[0]!.total });
    expect(steps.map((step) => step.done)).toEqual(steps.map((step) => step.done).sort((a, b) => a - b));
  });

  test.each(['-journal', '-wal', '-shm'])('does not take the name of the database with %s', async (side) => {
    const folder = temporaryFolder();
    const storage = await open(join(folder, 'keepsake.db'));
    const alias = join(temporaryFolder(), 'alias');
    symlinkSync(folder, alias);
    for (const base of [folder, alias]) {
      const target = join(base, `keepsake.db${side}`);
      await expect(storage.maintenance.backup(target)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: `${target} is a name that SQLite keeps for itself.`,
      });
    }
    expect(existsSync(join(folder, 'keepsake.db-journal'))).toBe(false);
  });

  test('is not the backup of a moment that never was: what this process adds meanwhile is all in or all out', async () => {
    const folder = temporaryFolder();
    const storage = await open(join(folder, 'keepsake.db'));
    await fill(storage, 400);
    let during: Promise<void> | undefined;
    const target = join(folder, 'backup.db');

    await storage.maintenance.backup(target, () => {
      during ??= add(storage, 'meanwhile');
    });
    await during;

    const ids = read(target, (database) => database.prepare('SELECT id FROM records').pluck().all());
    const indexed = read(target, (database) =>
      database.prepare('SELECT count(*) FROM records_text_docsize').pluck().get(),
    );
    expect(ids).not.toContain('mem_meanwhile');
    expect(indexed).toBe(401);
  });

  test('never overwrites, not even through a symbolic link, and not the database itself', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'keepsake.db');
    const storage = await open(file);
    writeFileSync(join(folder, 'precious.txt'), 'precious');
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
    const before = readdirSync(folder);

    for (const name of ['precious.txt', 'dangling', 'keepsake.db']) {
      await expect(storage.maintenance.backup(join(folder, name))).rejects.toMatchObject({
        code: 'CONFLICT',
      });
    }
    expect(readdirSync(folder)).toEqual(before);
  });

  test('says what is in the way', async () => {
    const folder = temporaryFolder();
    const storage = await open(join(folder, 'keepsake.db'));
    writeFileSync(join(folder, 'file'), '');
    await expect(storage.maintenance.backup(join(folder, 'file', 'backup.db'))).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  test('of a damaged database is refused and leaves nothing behind', async () => {
    const folder = temporaryFolder();
    const file = await filledFile(folder, 300);
    wreckPage(file, pagesOf(file, 'records')[4]!);
    const storage = await open(file);
    const target = join(folder, 'backups', 'backup.db');

    await expect(storage.maintenance.backup(target)).rejects.toMatchObject({ code: 'CORRUPT' });
    expect(readdirSync(join(folder, 'backups'))).toEqual([]);
  });

  test('that cannot be written to the end fails, and leaves nothing behind', async () => {
    const folder = temporaryFolder();
    const file = await filledFile(folder, 300);
    mkdirSync(join(folder, 'backups'));
    // The kernel refuses to let any file of this process grow beyond 64 KB, as a full disk would.
    const program = `
      import { openSqlite } from ${JSON.stringify(fileURLToPath(new URL('../../../../src/drivers/sqlite/index.ts', import.meta.url)))};
      const storage = await openSqlite({ file: ${JSON.stringify(file)} });
      const error = await storage.maintenance.backup(${JSON.stringify(join(folder, 'backups', 'backup.db'))}).catch((error) => error);
      console.log(error.code, error.hint);`;
    const { stdout } = spawnSync(
      'bash',
      ['-c', 'ulimit -f 64 && exec "$0" --input-type=module --eval "$1"', process.execPath, program],
      { encoding: 'utf8' },
    );

    expect(stdout).toMatch(/^STORAGE_FAILED Check the disk/);
    expect(readdirSync(join(folder, 'backups'))).toEqual([]);
  });

  test('while two other processes write without pause holds everything that was acknowledged before it began', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'keepsake.db');
    const storage = await open(file);
    await fill(storage, 400);
    const writers = [otherProcess('write', file, 'a'), otherProcess('write', file, 'b')];
    await Promise.all(writers.map((writer) => writer.line((line) => line.startsWith('mem_'))));

    for (const name of ['first.db', 'second.db', 'third.db']) {
      const acknowledged = writers.flatMap((writer) =>
        writer.lines.slice(1).flatMap((line) => line.split(' ')),
      );
      const target = join(folder, name);
      const report = await storage.maintenance.backup(target);

      const ids = new Set(
        read(target, (database) => database.prepare('SELECT id FROM records').pluck().all()),
      );
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
      expect(report.records).toBe(ids.size - 1);
      expect(report.sha256).toBe(hashOfFile(target));
      expect(existsSync(`${target}-wal`)).toBe(false);
      await Promise.all(
        writers.map((writer) => {
          const seen = writer.lines.length;
          return writer.line((line) => writer.lines.indexOf(line) >= seen);
        }),
      );
    }
  });
});

import {
  copyFileSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { examineSqlite, openSqlite, restoreSqlite } from '../../../../src/drivers/sqlite/index.ts';
import { SCHEMA_VERSION } from '../../../../src/drivers/sqlite/migrations/index.ts';
import { migrate } from '../../../../src/drivers/sqlite/open-database.ts';
import {
  ADMIN,
  add,
  checksum,
  fill,
  filledFile,
  hashOfFile,
  JUNK,
  NOW,
  open,
  otherProcess,
  overwrite,
  PAGE,
  pagesOf,
  read,
  temporaryFolder,
  wreckPage,
} from './maintenance-fixture.ts';

/** Everything but the note of the restore, which a backup cannot know. */
const withoutNote = (file: string): string => {
  const copy = `${file}.compared`;
  copyFileSync(file, copy);
  const database = new SqliteDatabase(copy);
  database.exec("DELETE FROM events WHERE type = 'storage.restored'");
  database.close();
  return checksum(copy);
};

const highest = (file: string, table: string): number =>
  read(
    file,
    (database) =>
      database.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(table) as number,
  );

/** Milliseconds after the present content was kept; undefined is before that. */
const KILLS = [undefined, 0, 4, 8, 30];

/** A database with a backup, and memories added after it. */
async function prepared() {
  const folder = temporaryFolder();
  const file = join(folder, 'keepsake.db');
  const storage = await open(file);
  await fill(storage);
  const backup = join(folder, 'backup.db');
  const report = await storage.maintenance.backup(backup);
  for (let i = 0; i < 30; i++) await add(storage, `later-${i}`);
  return { folder, file, storage, backup, report, keepAs: join(folder, 'before.db') };
}

describe('restore', () => {
  test('brings the backup back, keeps what was there, and goes on counting', async () => {
    const { file, folder, storage, backup, report, keepAs } = await prepared();
    const before = {
      checksum: checksum(file),
      latest: await storage.events.latest(),
      messages: highest(file, 'messages'),
    };

    const restored = await storage.maintenance.restore(backup, { now: NOW + 5, keepAs });

    expect(restored).toEqual({
      ...report,
      previous: { file: keepAs, bytes: statSync(keepAs).size, sha256: hashOfFile(keepAs), intact: true },
    });
    expect(checksum(keepAs)).toBe(before.checksum);
    expect(await storage.records.get('mem_later-3', ADMIN, NOW)).toBeNull();
    expect((await storage.records.get('mem_1', ADMIN, NOW))?.content).toBe('Changed twice.');
    const events = await storage.events.read({ after: before.latest, limit: 10 });
    expect(events).toEqual([
      { seq: before.latest + 1, type: 'storage.restored', from: backup, at: NOW + 5, via: 'system' },
    ]);
    expect(highest(file, 'messages')).toBe(before.messages);
    await add(storage, 'after');
    expect(await storage.events.latest()).toBe(before.latest + 2);
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  test('gives exactly the rows of the backup', async () => {
    const { folder, file, storage, backup, keepAs } = await prepared();
    await storage.maintenance.restore(backup, { now: NOW, keepAs });
    const copy = join(folder, 'again.db');
    await storage.maintenance.backup(copy);
    expect(withoutNote(copy)).toBe(withoutNote(backup));
    expect(read(file, (database) => database.pragma('journal_mode', { simple: true }))).toBe('wal');
  });

  test('another process that has the database open sees the restored content, with the statements that it has', async () => {
    const { file, storage, backup, keepAs } = await prepared();
    const other = otherProcess('hold', file);
    await other.line((line) => line === 'ready');
    expect(await other.ask('count')).toBe('150');
    expect(await other.ask('get mem_later-3')).toContain('later-3th');
    expect(await other.ask('search fox')).toBe('149');

    await storage.maintenance.restore(backup, { now: NOW, keepAs });

    expect(await other.ask('count')).toBe('120');
    expect(await other.ask('get mem_later-3')).toBe('null');
    expect(await other.ask('search fox')).toBe('119');
    const latest = Number(await other.ask('latest'));
    expect(await other.ask('add mem_from-outside')).toBe(String(latest + 1));
    expect(await other.ask('search outside')).toBe('1');
    expect((await storage.records.get('mem_from-outside', ADMIN, NOW))?.agent).toBe('other-process');
  });

  test('while other processes write: what they were told is in the kept copy or in the restored database', async () => {
    const { folder, file, storage, backup } = await prepared();
    const writers = [otherProcess('write', file, 'a'), otherProcess('write', file, 'b')];
    await Promise.all(writers.map((writer) => writer.line((line) => line.startsWith('mem_'))));
    const kept: string[] = [];
    for (let i = 0; i < 3; i++) {
      kept.push(join(folder, `before-${i}.db`));
      await storage.maintenance.restore(backup, { now: NOW, keepAs: kept.at(-1)! });
      await sleep(30);
    }
    await Promise.all(writers.map((writer) => writer.kill()));

    const idsIn = (path: string) =>
      read(path, (database) => database.prepare('SELECT id FROM records').pluck().all() as string[]);
    const everywhere = new Set([...kept, file].flatMap(idsIn));
    const acknowledged = writers.flatMap((writer) =>
      writer.lines.slice(1).flatMap((line) => line.split(' ')),
    );
    expect(acknowledged.length).toBeGreaterThan(20);
    expect(acknowledged.filter((id) => !everywhere.has(id))).toEqual([]);
    expect(idsIn(file)).toEqual(expect.arrayContaining(idsIn(backup)));
    const seqs = read(
      file,
      (database) => database.prepare('SELECT seq FROM events ORDER BY seq').pluck().all() as number[],
    );
    const earlier = kept.flatMap((path) =>
      read(path, (database) => database.prepare('SELECT max(seq) FROM events').pluck().get() as number),
    );
    expect(seqs.at(-1)).toBeGreaterThanOrEqual(Math.max(...earlier));
  });

  test('while this process writes: every acknowledged memory is in the kept copy or in the restored database', async () => {
    const { file, storage, backup, keepAs } = await prepared();
    let restoring = true;
    const acknowledged: string[] = [];
    const writing = (async () => {
      for (let i = 0; restoring || i < 20; i++) {
        await add(storage, `own-${i}`);
        acknowledged.push(`mem_own-${i}`);
      }
    })();
    await storage.maintenance.restore(backup, { now: NOW, keepAs });
    restoring = false;
    await writing;
    const ids = new Set(
      [keepAs, file].flatMap((path) =>
        read(path, (database) => database.prepare('SELECT id FROM records').pluck().all() as string[]),
      ),
    );
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  });

  test('through a symbolic link restores what it leads to', async () => {
    const { folder, file, storage, backup, keepAs } = await prepared();
    await storage.close();
    overwrite(file, 0, JUNK);
    const linked = join(folder, 'elsewhere.db');
    symlinkSync(file, linked);
    await restoreSqlite({ file: linked, source: backup, keepAs, now: NOW, busyTimeoutMs: 1_000 });
    expect(lstatSync(linked).isSymbolicLink()).toBe(true);
    expect((await (await open(file)).records.get('mem_1', ADMIN, NOW))?.content).toBe('Changed twice.');
  });

  test('killed at any moment leaves the old content or the new, and nothing in between', async () => {
    const folder = temporaryFolder();
    const file = await filledFile(folder, 600);
    const older = await openSqlite({ file });
    const source = join(folder, 'backup.db');
    await older.maintenance.backup(source);
    for (let i = 0; i < 5; i++) await add(older, `later-${i}`);
    await older.close();
    const count = () =>
      read(file, (database) => database.prepare('SELECT count(*) FROM records').pluck().get());
    const [old, restored] = [
      count(),
      read(source, (database) => database.prepare('SELECT count(*) FROM records').pluck().get()),
    ];

    const outcomes: unknown[] = [];
    for (const [round, delay] of KILLS.entries()) {
      const keepAs = join(folder, `before-${round}.db`);
      const child = otherProcess('restore', file, source, keepAs);
      await child.line((line) => line === 'ready');
      // The kept copy gets its name right before the first page of the living database changes.
      while (delay !== undefined && !existsSync(keepAs)) await sleep(0);
      await sleep(delay ?? 0);
      await child.kill();
      outcomes.push(count());
      expect([old, restored]).toContain(outcomes.at(-1));
      const storage = await openSqlite({ file });
      if (count() === restored) for (let i = 0; i < 5; i++) await add(storage, `later-${i}`);
      await storage.close();
    }
    expect(outcomes).toContain(old);
    const findings = await examineSqlite({ file, fix: false, now: NOW, busyTimeoutMs: 1_000 });
    expect(findings.filter((finding) => finding.severity === 'problem')).toEqual([]);
  });

  test('an older backup is upgraded on its way, a newer one is refused', async () => {
    const { folder, file, storage, keepAs } = await prepared();
    const older = join(folder, 'older.db');
    const database = new SqliteDatabase(older);
    migrate(database, 1);
    database.exec("INSERT INTO agents VALUES ('ancient', 'ancient', 1600000000000, 0)");
    database.close();
    await storage.maintenance.restore(older, { now: NOW, keepAs });
    expect((await storage.records.agents()).map((agent) => agent.name)).toEqual(['ancient']);
    expect(read(file, (live) => live.pragma('user_version', { simple: true }))).toBe(SCHEMA_VERSION);
    expect(read(older, (source) => source.pragma('user_version', { simple: true }))).toBe(1);

    const newer = join(folder, 'newer.db');
    await storage.maintenance.backup(newer);
    const future = new SqliteDatabase(newer);
    future.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
    future.close();
    const before = checksum(file);
    await expect(
      storage.maintenance.restore(newer, { now: NOW, keepAs: join(folder, 'other.db') }),
    ).rejects.toMatchObject({ code: 'TOO_NEW' });
    expect(checksum(file)).toBe(before);
  });

  test('a backup with another page size fits all the same', async () => {
    const { file, storage, backup, keepAs } = await prepared();
    const other = new SqliteDatabase(backup);
    other.pragma('page_size = 8192');
    other.exec('VACUUM');
    other.close();
    await storage.maintenance.restore(backup, { now: NOW, keepAs });
    expect((await storage.records.get('mem_1', ADMIN, NOW))?.content).toBe('Changed twice.');
    expect(read(file, (live) => live.pragma('page_size', { simple: true }))).toBe(PAGE);
  });

  const refused: [string, string, (path: string, backup: string) => void][] = [
    ['a file that is not there', 'NOT_FOUND', () => {}],
    ['an empty file', 'INVALID_INPUT', (path) => writeFileSync(path, '')],
    ['a text', 'CORRUPT', (path) => writeFileSync(path, 'Dear diary, '.repeat(1_000))],
    [
      'the database of another program',
      'INVALID_INPUT',
      (path) => {
        const database = new SqliteDatabase(path);
        database.exec('CREATE TABLE recipes (name TEXT)');
        database.close();
      },
    ],
    [
      'a truncated backup',
      'CORRUPT',
      (path, backup) => {
        copyFileSync(backup, path);
        truncateSync(path, 20 * PAGE);
      },
    ],
    [
      'a backup with a wrecked page',
      'CORRUPT',
      (path, backup) => {
        copyFileSync(backup, path);
        wreckPage(path, pagesOf(path, 'records')[2]!);
      },
    ],
  ];
  test.each(refused)('%s is refused with %s, and nothing changes', async (_name, code, make) => {
    const { folder, file, storage, backup, keepAs } = await prepared();
    const source = join(folder, 'source.db');
    make(source, backup);
    const before = checksum(file);
    // The note of the newest change is written a moment after it.
    const namesNow = () => readdirSync(folder).filter((name) => !name.includes('.seen'));
    const names = namesNow();
    await expect(storage.maintenance.restore(source, { now: NOW, keepAs })).rejects.toMatchObject({ code });
    expect(checksum(file)).toBe(before);
    expect(namesNow()).toEqual(names);
  });

  test('the database is not its own backup, and an existing file is not overwritten by the kept copy', async () => {
    const { file, storage, backup, keepAs } = await prepared();
    await expect(storage.maintenance.restore(file, { now: NOW, keepAs })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    writeFileSync(keepAs, 'precious');
    await expect(storage.maintenance.restore(backup, { now: NOW, keepAs })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect(await storage.records.get('mem_later-3', ADMIN, NOW)).not.toBeNull();
  });
});

describe('restore of a database that nobody can open', () => {
  const damages: [string, (file: string) => void][] = [
    ['garbage instead of a header', (file) => overwrite(file, 0, JUNK.subarray(0, 100))],
    ['half of the file', (file) => truncateSync(file, Math.floor(statSync(file).size / 2))],
    ['a first page of garbage', (file) => wreckPage(file, 1)],
  ];
  test.each(damages)('%s: it is moved aside and the backup takes its place', async (_name, damage) => {
    const { folder, file, storage, backup, keepAs } = await prepared();
    await storage.close();
    damage(file);
    writeFileSync(`${file}-wal`, 'a log that must not be played into the backup');
    const bytes = hashOfFile(file);

    const report = await restoreSqlite({ file, source: backup, keepAs, now: NOW, busyTimeoutMs: 1_000 });

    expect(report.previous).toMatchObject({ file: keepAs, intact: false, sha256: bytes });
    expect(hashOfFile(keepAs)).toBe(bytes);
    expect(existsSync(`${keepAs}-wal`)).toBe(true);
    const after = await open(file);
    expect((await after.records.get('mem_1', ADMIN, NOW))?.content).toBe('Changed twice.');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    // What the damaged database had counted up to is unknown, so the numbers leap ahead of it.
    expect(await after.events.latest()).toBeGreaterThan(1_000_000);
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  test('a database whose tables are damaged is overwritten only after it was copied page by page', async () => {
    const { file, storage, backup, keepAs } = await prepared();
    await storage.close();
    const page = pagesOf(file, 'records')[3]!;
    wreckPage(file, page);

    const report = await restoreSqlite({ file, source: backup, keepAs, now: NOW, busyTimeoutMs: 1_000 });

    expect(report.previous).toMatchObject({ file: keepAs, intact: false, sha256: hashOfFile(keepAs) });
    expect(readFileSync(keepAs).subarray((page - 1) * PAGE, page * PAGE)).toEqual(JUNK);
    const after = await open(file);
    expect(await after.records.list({ viewer: ADMIN, now: NOW, filter: {}, limit: 1_000 })).toHaveLength(120);
  });

  test('where there is no database, the backup becomes it', async () => {
    const { folder, backup } = await prepared();
    const file = join(folder, 'fresh', 'keepsake.db');
    const report = await restoreSqlite({
      file,
      source: backup,
      keepAs: join(folder, 'x.db'),
      now: NOW,
      busyTimeoutMs: 1_000,
    });
    expect(report.previous).toBeUndefined();
    expect((await (await open(file)).records.get('mem_1', ADMIN, NOW))?.content).toBe('Changed twice.');
  });

  test('a database of a newer Keepsake, or of a stranger, is left alone', async () => {
    const { file, storage, backup, keepAs } = await prepared();
    await storage.close();
    for (const [pragma, code] of [
      [`user_version = ${SCHEMA_VERSION + 1}`, 'TOO_NEW'],
      ['application_id = 7', 'CONFLICT'],
    ] as const) {
      const database = new SqliteDatabase(file);
      database.pragma(pragma);
      database.close();
      const bytes = hashOfFile(file);
      await expect(
        restoreSqlite({ file, source: backup, keepAs, now: NOW, busyTimeoutMs: 1_000 }),
      ).rejects.toMatchObject({ code });
      expect(hashOfFile(file)).toBe(bytes);
      expect(existsSync(keepAs)).toBe(false);
      const undo = new SqliteDatabase(file);
      undo.pragma(`user_version = ${SCHEMA_VERSION}`);
      undo.close();
    }
  });
});

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { examineSqlite, openSqlite, restoreSqlite } from '../../../../src/drivers/sqlite/index.ts';
import { quarantine } from '../../../../src/drivers/sqlite/maintenance/quarantine.ts';
import { SCHEMA_VERSION } from '../../../../src/drivers/sqlite/migrations/index.ts';
import type { Finding } from '../../../../src/ports/maintenance.ts';
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
  troubles,
  wreckPage,
} from './maintenance-fixture.ts';

const examine = (file: string, fix: boolean): Promise<readonly Finding[]> =>
  examineSqlite({ file, fix, now: NOW, busyTimeoutMs: 1_000 });

const wreckHeader = (file: string): void => overwrite(file, 0, JUNK.subarray(0, 100));

describe('quarantine', () => {
  test('copies by the engine what the engine can open, and touches nothing', async () => {
    const folder = temporaryFolder();
    const file = await filledFile(folder);
    wreckPage(file, pagesOf(file, 'records')[2]);
    const bytes = hashOfFile(file);

    const copy = await quarantine(file, join(folder, 'aside'), NOW);

    expect(copy.verified).toBe('pages');
    expect(copy).toMatchObject({ bytes: statSync(copy.file).size, sha256: hashOfFile(copy.file) });
    expect(statSync(copy.file).mode & 0o777).toBe(0o600);
    expect(hashOfFile(file)).toBe(bytes);
    // Everything but the first page, which counts changes, is the same on disk.
    expect(readFileSync(copy.file).subarray(PAGE)).toEqual(readFileSync(file).subarray(PAGE));
    expect(readdirSync(join(folder, 'aside'))).toEqual([copy.file.split('/').at(-1)]);
  });

  test('copies bytes and the log when the engine cannot open it', async () => {
    const folder = temporaryFolder();
    const file = await filledFile(folder);
    wreckHeader(file);
    writeFileSync(`${file}-wal`, 'a log');

    const copy = await quarantine(file, folder, NOW);

    expect(copy).toMatchObject({ verified: 'bytes', sha256: hashOfFile(file) });
    expect(hashOfFile(copy.file)).toBe(hashOfFile(file));
    expect(hashOfFile(`${copy.file}-wal`)).toBe(hashOfFile(`${file}-wal`));
    expect(statSync(copy.file).mode & 0o777).toBe(0o600);
  });

  test('twice in the same millisecond makes two copies', async () => {
    const folder = temporaryFolder();
    const file = await filledFile(folder);
    const [first, second] = [await quarantine(file, folder, NOW), await quarantine(file, folder, NOW)];
    expect(first.file).not.toBe(second.file);
    expect(first.sha256).toBe(second.sha256);
  });

  test('no verb of maintenance drops the lock that this process holds', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'keepsake.db');
    const storage = await open(file);
    await fill(storage);
    const holder = new SqliteDatabase(file);
    holder.exec('BEGIN IMMEDIATE; UPDATE agents SET facts = facts + 0');

    await storage.maintenance.backup(join(folder, 'backup.db'));
    await storage.maintenance.examine({ fix: false, now: NOW });
    await quarantine(file, folder, NOW);
    await expect(
      restoreSqlite({
        file,
        source: join(folder, 'backup.db'),
        keepAs: join(folder, 'kept.db'),
        now: NOW,
        busyTimeoutMs: 20,
      }),
    ).rejects.toMatchObject({ code: 'BUSY' });

    expect(await otherProcess('lock', file).line(() => true)).toBe('held');
    holder.exec('COMMIT');
    expect(await otherProcess('lock', file).line(() => true)).toBe('free');
    holder.close();
  });
});

describe('a database that cannot be opened', () => {
  interface Damage {
    readonly name: string;
    readonly damage: (file: string) => void;
    /** Whether every row can be saved. */
    readonly complete: boolean;
  }
  const damages: readonly Damage[] = [
    { name: 'garbage instead of a header', damage: wreckHeader, complete: true },
    {
      name: 'zeros instead of a header',
      damage: (file) => overwrite(file, 0, Buffer.alloc(100)),
      complete: true,
    },
    { name: 'a first page of garbage', damage: (file) => wreckPage(file, 1), complete: true },
    {
      name: 'a file without its last quarter',
      damage: (file) => truncateSync(file, Math.floor(statSync(file).size * 0.75)),
      complete: false,
    },
    {
      name: 'a file cut in the middle of a page',
      damage: (file) => truncateSync(file, statSync(file).size - PAGE * 3 - 100),
      complete: false,
    },
    {
      name: 'a page of zeros in the middle of a table',
      damage: (file) => wreckPage(file, pagesOf(file, 'records')[5], Buffer.alloc(PAGE)),
      complete: false,
    },
    {
      name: 'two wrecked pages of a table',
      damage: (file) => {
        for (const leaf of [4, 9]) wreckPage(file, pagesOf(file, 'records')[leaf]);
      },
      complete: false,
    },
    {
      name: 'a wrecked page of messages',
      damage: (file) => wreckPage(file, pagesOf(file, 'messages')[0]),
      complete: false,
    },
  ];

  test.each(damages)(
    '$name is found, left as it is, and read as far as it can be',
    async ({ damage, complete }) => {
      const folder = temporaryFolder();
      // So many that the pages of tables without rows hardly count.
      const file = await filledFile(folder, 200);
      const content = read(
        file,
        (database) =>
          database.prepare('SELECT id, content FROM records').all() as { id: string; content: string }[],
      );
      damage(file);
      const bytes = hashOfFile(file);

      const found = troubles(await examine(file, false));
      expect(found[0]).toMatchObject({ check: 'database.integrity', severity: 'problem', fixable: false });
      expect(readdirSync(folder).filter((name) => name.startsWith('keepsake-'))).toEqual([]);
      expect(hashOfFile(file)).toBe(bytes);

      const [finding] = troubles(await examine(file, true));
      const salvaged = /keepsake restore (\S+)"/.exec(finding!.hint!)![1]!;
      expect(finding).toMatchObject({
        check: 'database.integrity',
        message: expect.stringContaining(salvaged),
      });
      expect(hashOfFile(file)).toBe(bytes);
      expect(finding!.message.includes('some are lost')).toBe(!complete);
      expect(
        troubles(await examine(salvaged, false)).filter(({ check }) => check !== 'database.rescued'),
      ).toMatchObject([{ check: 'database.journal', severity: 'notice' }]);

      const rows = read(
        salvaged,
        (database) => database.prepare('SELECT id, content FROM records').all() as typeof content,
      );
      for (const row of rows) expect(content).toContainEqual(row);
      expect(rows.length).toBeGreaterThan(complete ? content.length - 1 : content.length * 0.6);

      const keepAs = join(folder, 'before.db');
      const report = await restoreSqlite({ file, source: salvaged, keepAs, now: NOW, busyTimeoutMs: 1_000 });
      expect(report.previous).toMatchObject({ intact: false });
      const storage = await open(file);
      const list = await storage.records.list({
        viewer: ADMIN,
        now: NOW,
        filter: {},
        states: ['live', 'expired'],
        limit: 1_000,
      });
      expect(list).toHaveLength(report.records);
      const candidates = await storage.records.searchText({
        viewer: ADMIN,
        now: NOW,
        filter: {},
        terms: ['fox'],
        limit: 1_000,
      });
      expect(candidates).toHaveLength(
        list.filter((record) => record.state === 'live' && record.content.includes('fox')).length,
      );
      expect(
        troubles(await storage.maintenance.examine({ fix: false, now: NOW })).filter(
          (trouble) => trouble.severity === 'problem',
        ),
      ).toEqual([]);
    },
  );

  test('a first page of garbage is no loss either when the database was never compacted', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'keepsake.db');
    const storage = await openSqlite({ file });
    for (let i = 0; i < 60; i++) await add(storage, i);
    await storage.close();
    wreckPage(file, 1);
    const [finding] = troubles(await examine(file, true));
    expect(finding!.message).toMatch(/60 memories and 0 messages were saved into \S+\.db\.$/);
  });

  test('a long memory whose end is lost is not passed off as whole', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'keepsake.db');
    const storage = await openSqlite({ file });
    const ends = (character: string): string => 'A long story. '.repeat(500) + character.repeat(1_500);
    await add(storage, 'torn', { content: ends('z') });
    await add(storage, 'zeros', { content: ends('\u0000') });
    await add(storage, 'short');
    await storage.close();
    const page = Math.ceil(readFileSync(file).indexOf('z'.repeat(1_000)) / PAGE);
    wreckPage(file, page, Buffer.alloc(PAGE));

    // The indexes disagree with the table, and it is the table that is wrong: they must not be made to agree with it.
    expect(troubles(await examine(file, false))[0]).toMatchObject({
      check: 'database.integrity',
      fixable: false,
    });

    const [finding] = troubles(await examine(file, true));

    const salvaged = /keepsake restore (\S+)"/.exec(finding!.hint!)![1]!;
    expect(finding!.message).toContain('some are lost');
    const ids = read(salvaged, (database) =>
      database.prepare('SELECT id FROM records ORDER BY rid').pluck().all(),
    );
    expect(ids).toEqual(['mem_zeros', 'mem_short']);
  });

  test('nothing but garbage is said to be nothing but garbage, and kept', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'keepsake.db');
    writeFileSync(file, 'Dear diary, '.repeat(5_000), { mode: 0o600 });
    const bytes = hashOfFile(file);
    const [finding] = troubles(await examine(file, true));
    expect(finding).toMatchObject({ check: 'database.integrity', hint: 'Run "keepsake restore <backup>".' });
    expect(hashOfFile(file)).toBe(bytes);
    const kept = readdirSync(folder).filter((name) => name !== 'keepsake.db');
    expect(kept).toEqual([expect.stringMatching(/^keepsake-damaged-\d+T\d+Z\.db$/)]);
    expect(hashOfFile(join(folder, kept[0]!))).toBe(bytes);
  });

  test('openSqlite says CORRUPT and changes nothing', async () => {
    const file = await filledFile(temporaryFolder());
    wreckHeader(file);
    const bytes = hashOfFile(file);
    await expect(openSqlite({ file })).rejects.toMatchObject({
      code: 'CORRUPT',
      hint: expect.stringContaining('doctor'),
    });
    expect(hashOfFile(file)).toBe(bytes);
  });

  test('a folder instead of a file is a finding', async () => {
    const file = join(temporaryFolder(), 'keepsake.db');
    mkdirSync(file);
    expect(troubles(await examine(file, true))[0]).toMatchObject({
      check: 'database.file',
      severity: 'problem',
    });
  });
});

describe('a database that must not be touched', () => {
  /** A copy with a log that was not yet put into the file, as a crash leaves it. */
  async function withHotLog(pragma: string): Promise<string> {
    const folder = temporaryFolder();
    const original = await filledFile(folder);
    const connection = new SqliteDatabase(original);
    connection.pragma('journal_mode = WAL');
    connection.pragma(pragma);
    connection.exec("INSERT INTO agents VALUES ('late', 'late', 1790000000000, 0)");
    const copies = join(folder, 'copies');
    mkdirSync(copies, { mode: 0o700 });
    // Copied by another process: in this one it would drop the locks.
    expect(spawnSync('cp', [original, `${original}-wal`, copies]).status).toBe(0);
    connection.close();
    const file = join(copies, 'keepsake.db');
    spawnSync('chmod', ['600', file, `${file}-wal`]);
    return file;
  }

  test.each([
    ['of a newer Keepsake', `user_version = ${SCHEMA_VERSION + 1}`, 'TOO_NEW', 'database.version'],
    ['of another program', 'application_id = 12345', 'CONFLICT', 'database.owner'],
  ])('%s is refused byte for byte, its log included', async (_name, pragma, code, check) => {
    const file = await withHotLog(pragma);
    const bytes = () => [hashOfFile(file), hashOfFile(`${file}-wal`)];
    const before = bytes();
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);

    await expect(openSqlite({ file })).rejects.toMatchObject({ code });
    expect(bytes()).toEqual(before);
    for (const fix of [false, true]) {
      const [finding] = troubles(await examine(file, fix));
      expect(finding).toMatchObject({ check, severity: 'problem', fixable: false });
    }
    expect(bytes()).toEqual(before);
    expect(existsSync(join(file, '..', 'keepsake-damaged'))).toBe(false);
  });

  test('what is in a log that nobody has put into the file yet is examined and backed up too', async () => {
    const file = await withHotLog('cache_size = 100');
    expect(troubles(await examine(file, false))).toEqual([]);
    const storage = await open(file);
    const backup = join(file, '..', 'backup.db');
    await storage.maintenance.backup(backup);
    expect(checksum(backup)).toBe(checksum(file));
    expect(read(backup, (database) => database.prepare('SELECT count(*) FROM agents').pluck().get())).toBe(3);
  });
});

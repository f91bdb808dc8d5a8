/** Paths at which there can be no database; in processes that can be ended, because a wrong step blocks for ever. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isSafeSqlite, openDatabase } from '../../../src/drivers/sqlite/open-database.ts';

const DRIVER = new URL('../../../src/drivers/sqlite/index.ts', import.meta.url).href;

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-open-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function makePipe(): string {
  const file = join(temporaryFolder(), 'pipe.db');
  expect(spawnSync('mkfifo', [file]).status).toBe(0);
  return file;
}

function inOtherProcess(code: string): unknown {
  const script = `import { examineSqlite, openSqlite } from ${JSON.stringify(DRIVER)};
    try { console.log(JSON.stringify(await (${code}))) }
    catch ({ name, code, message }) { console.log(JSON.stringify({ name, code, message })) }`;
  const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 10_000,
    killSignal: 'SIGKILL',
  });
  expect(signal).toBe(null);
  return JSON.parse(stdout);
}

const opened = (file: string) => inOtherProcess(`openSqlite({ file: ${JSON.stringify(file)} })`);
const examined = (file: string) =>
  inOtherProcess(`examineSqlite({ file: ${JSON.stringify(file)}, fix: true, now: 0, busyTimeoutMs: 1_000 })`);

describe('opening', () => {
  test('makes the folders that are missing, for this user alone', async () => {
    const folder = temporaryFolder();
    (await openDatabase({ file: join(folder, 'a', 'b', 'k.db'), busyTimeoutMs: 1_000 })).close();
    for (const path of ['a', 'a/b']) expect(statSync(join(folder, path)).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['k.db']);
  });

  // Only Linux has /proc, where no folder can be made although its parent is there.
  test.runIf(process.platform === 'linux')('fails where the system makes no folders', () => {
    expect(opened('/proc/foo/k.db')).toEqual({
      name: 'KeepsakeError',
      code: 'PERMISSION',
      message: 'The database /proc/foo/k.db cannot be created (ENOENT).',
    });
  });

  test('refuses a folder', async () => {
    const file = join(temporaryFolder(), 'k.db');
    mkdirSync(file);
    await expect(openDatabase({ file, busyTimeoutMs: 1_000 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: `${file} is a folder, not a database file.`,
    });
  });

  // Windows has no pipes in its file system.
  test.skipIf(process.platform === 'win32')('refuses a pipe instead of waiting for it', () => {
    const file = makePipe();
    expect(opened(file)).toEqual({
      name: 'KeepsakeError',
      code: 'INVALID_INPUT',
      message: `${file} is a pipe, not a database file.`,
    });
  });
});

// Windows has no pipes in its file system.
test.skipIf(process.platform === 'win32')('an examination finds a pipe and leaves it alone', () => {
  const file = makePipe();
  expect(examined(file)).toContainEqual(
    expect.objectContaining({
      check: 'database.file',
      severity: 'problem',
      message: `${file} is a pipe, not a database file.`,
    }),
  );
  expect(statSync(file).isFIFO()).toBe(true);
});

test.each([
  ['3.51.3', true],
  ['3.51.4', true],
  ['3.52.0', true],
  ['4.0.0', true],
  ['3.51', false],
  ['3.51.2', false],
  ['3.50.9', false],
  ['2.99.99', false],
])('SQLite %s is new enough: %s', (version, expected) => {
  expect(isSafeSqlite(version)).toBe(expected);
});

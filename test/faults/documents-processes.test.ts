/** Documents between real processes: none loses another's change, and kill -9 leaves every file whole. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { DocumentFile, sweepTemporaryFiles } from '../../src/documents/index.ts';
import { sqliteFileLock } from '../../src/drivers/sqlite/file-lock.ts';
import { KeepsakeError } from '../../src/kernel/errors.ts';
import { unsealed } from './documents-child.ts';
import { programOf } from './support/program.ts';

const CHILD = programOf('documents-child', import.meta.dirname);
const children = new Set<ChildProcess>();
const root = () => realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-processes-')));

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

function start(...args: string[]) {
  const child = spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  const lines: string[] = [];
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  const waiting: (() => void)[] = [];
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    for (const resume of waiting.splice(0)) resume();
  });
  const ended = once(child, 'close').then(() => {
    children.delete(child);
    for (const resume of waiting.splice(0)) resume();
  });
  return {
    child,
    lines,
    ended,
    errors: () => errors,
    /** Until it has said so many lines. */
    async said(count: number) {
      while (lines.length < count) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`The child died: ${errors}`);
        await new Promise<void>((resume) => waiting.push(resume));
      }
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

it('8 processes × 50 increments = 400', async () => {
  const folder = root();
  const processes = Array.from({ length: 8 }, () => start('increment', folder, '50'));
  await Promise.all(processes.map(({ ended }) => ended));
  expect(processes.map(({ errors }) => errors()).join('')).toBe('');
  expect(processes.flatMap(({ lines }) => lines)).toEqual(Array(8).fill('done'));
  expect(readFileSync(join(folder, 'counter.md'), 'utf8')).toBe('400');
  expect(readdirSync(folder).sort()).toEqual(['.counter.md.lock', 'counter.md']);
  expect(statSync(join(folder, '.counter.md.lock')).size).toBe(0);
  rmSync(folder, { recursive: true });
});

it('keeps another process out, and the kernel frees the lock of a killed one at once', async () => {
  const folder = root();
  const path = join(folder, 'held.md');
  const lock = sqliteFileLock();
  for (let i = 0; i < 5; i++) {
    const holder = start('hold', folder);
    await holder.said(1);
    const refused = await lock.hold(path, async () => {}, { timeoutMs: 50 }).catch((error: unknown) => error);
    expect(KeepsakeError.is(refused) && refused.code).toBe('BUSY');
    await holder.kill();
    // No time to wait: the very first attempt must succeed.
    expect(await lock.hold(path, async () => 'in', { timeoutMs: 1 })).toBe('in');
  }
  await lock.close();
  rmSync(folder, { recursive: true });
});

it('lets a waiter in although another process takes the lock again and again', async () => {
  const folder = root();
  const lock = sqliteFileLock({ timeoutMs: 60_000 });
  const hog = start('hog', folder);
  await hog.said(3);
  const before = hog.lines.length;
  for (let i = 0; i < 10; i++) await lock.hold(join(folder, 'held.md'), async () => {});
  // About two per turn; without courtesy about fifty, as a gap of microseconds has to be hit by luck.
  expect(hog.lines.length - before).toBeLessThan(100);
  await hog.kill();
  await lock.close();
  rmSync(folder, { recursive: true });
});

it('66 × kill -9: every file whole, every acknowledged change there, exactly once', async () => {
  const folder = root();
  const lock = sqliteFileLock();
  const [log, state] = ['log.md', 'state.md'].map((path) => new DocumentFile({ path, root: folder, lock }));
  const appended: string[] = [];
  let counted = 0;
  let kills = 0;
  for (let round = 0; round < 22; round++) {
    const writers = Array.from({ length: 3 }, () => start('churn', folder));
    await Promise.all(writers.map((writer) => writer.said(1)));
    for (const writer of writers) {
      await sleep(Math.random() * 30);
      await writer.kill();
      kills++;
      expect(writer.errors()).toBe('');
      for (const line of writer.lines) {
        if (line === 'counted') counted++;
        else appended.push(line.slice('appended '.length));
      }
    }
    const records = (await log!.read()).text.split('\n');
    expect(records.pop()).toBe('');
    const ids = records.map((record) => {
      const [, id, length, payload] = /^(\d+-\d+) (\d+) (x*)$/.exec(record) ?? [];
      expect(payload?.length, `a torn record: ${record.slice(0, 60)}`).toBe(Number(length));
      return id!;
    });
    expect(new Set(ids).size).toBe(ids.length);
    const present = new Set(ids);
    expect(appended.filter((id) => !present.has(id))).toEqual([]);
    expect(ids.length - appended.length).toBeLessThanOrEqual(kills);
    const count = unsealed((await state!.read()).text);
    expect(count).toBeGreaterThanOrEqual(counted);
    expect(count - counted).toBeLessThanOrEqual(kills);
    // Or reading it would dominate the test.
    await log!.update(() => '');
    appended.length = 0;
  }
  await state!.update((text) => `${text} `);
  await sweepTemporaryFiles(folder);
  expect(readdirSync(folder).sort()).toEqual(['.log.md.lock', '.state.md.lock', 'log.md', 'state.md']);
  console.log(`Documents: ${kills} kills, ${counted} acknowledged updates.`);
  expect(kills).toBeGreaterThanOrEqual(60);
  expect(counted).toBeGreaterThan(kills);
  await lock.close();
  rmSync(folder, { recursive: true });
});

/** How programs of this machine find the servers that run: marks that are left, read, cleared, and never believed blindly. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { leaveMark, makeKeyId, runningServers } from '../../src/auth/index.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const mark = (startedAt: number) => ({
  url: 'http://127.0.0.1:4444',
  startedAt,
  secret: `secret ${startedAt}`,
});

/** Of a process that has ended. */
const deadProcess = (): number => spawnSync(process.execPath, ['-e', '']).pid;

function plant(folder: string, fields: object): string {
  const path = join(folder, `server.${makeKeyId()}.json`);
  writeFileSync(path, JSON.stringify({ ...mark(1), pid: process.pid, host: hostname(), ...fields }));
  return path;
}

it('those that run are found, the newest first, until they leave', () => {
  const folder = temporaryFolder();
  const clears = [4, 6, 2, 5, 1, 3].map((at) => leaveMark(folder, makeKeyId(), mark(at)));
  const found = () => runningServers(folder).map(({ startedAt }) => startedAt);
  expect(found()).toEqual([6, 5, 4, 3, 2, 1]);
  expect(runningServers(folder)[0]).toEqual({ ...mark(6), pid: process.pid, host: hostname() });
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  clears[1]!();
  expect(found()).toEqual([5, 4, 3, 2, 1]);
  clears[1]!();
  for (const clear of clears) clear();
  expect(readdirSync(folder)).toEqual([]);
});

it('one whose process is gone is not found, and cleared by the next that starts', () => {
  const folder = temporaryFolder();
  const left = plant(folder, { pid: deadProcess() });
  expect(runningServers(folder)).toEqual([]);
  expect(existsSync(left)).toBe(true);
  const clear = leaveMark(folder, makeKeyId(), mark(2));
  expect(existsSync(left)).toBe(false);
  expect(runningServers(folder)).toHaveLength(1);
  clear();
});

it('one of another machine is neither found nor cleared: its processes have numbers of their own', () => {
  const folder = temporaryFolder();
  const others = [process.pid, deadProcess()].map((pid) => plant(folder, { pid, host: 'another-machine' }));
  leaveMark(folder, makeKeyId(), mark(2));
  expect(runningServers(folder).map(({ startedAt }) => startedAt)).toEqual([2]);
  expect(others.map((path) => existsSync(path))).toEqual([true, true]);
});

it('one that cannot be read is not found, and cleared; other files are left alone', () => {
  const folder = temporaryFolder();
  const half = join(folder, 'server.0123456789ab.json');
  writeFileSync(half, '{"url":');
  const wrong = plant(folder, { pid: -1 });
  const foreign = join(folder, 'server.json');
  writeFileSync(foreign, '{');
  expect(runningServers(folder)).toEqual([]);
  leaveMark(folder, makeKeyId(), mark(2));
  expect([half, wrong, foreign].map((path) => existsSync(path))).toEqual([false, false, true]);
  expect(runningServers(folder)).toHaveLength(1);
});

it('a mark that cannot be left keeps nobody from serving', () => {
  const folder = join(temporaryFolder(), 'missing');
  expect(runningServers(folder)).toEqual([]);
  const clear = leaveMark(folder, makeKeyId(), mark(1));
  expect(() => clear()).not.toThrow();
});

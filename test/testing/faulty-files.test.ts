/** The fault injector itself: a proof built on it is worth what it is worth. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodeFiles } from '../../src/documents/index.ts';
import type { Files } from '../../src/ports/files.ts';
import { Crash, type Fault, FaultyFiles } from '../../src/testing/faulty-files.ts';
import { makeRoot } from '../documents/fixture.ts';

const CREATE = 0o102; // O_RDWR | O_CREAT

async function writeTwice(files: Files, path: string): Promise<number[]> {
  const handle = await files.open(path, CREATE, 0o600);
  const counts: number[] = [];
  try {
    for (const text of ['abc', 'def']) counts.push(await handle.write(Buffer.from(text), 0, 3));
  } finally {
    await handle.close();
  }
  return counts;
}

const run = async (at: number, fault: Fault, persistent = false) => {
  const path = join(makeRoot(), 'x');
  const files = new FaultyFiles(nodeFiles, { at, fault, persistent });
  const result = await writeTwice(files, path).catch((error: NodeJS.ErrnoException) => error);
  const content = at === 1 && fault.kind !== 'late-error' ? undefined : readFileSync(path, 'utf8');
  return { result, content, operations: files.operations, failed: files.failed };
};

it('counts the operations and otherwise stays out of the way', async () => {
  const path = join(makeRoot(), 'x');
  const files = new FaultyFiles(nodeFiles);
  expect(await writeTwice(files, path)).toEqual([3, 3]);
  expect(files.operations).toEqual(['open', 'write', 'write', 'close']);
  expect([files.failed, readFileSync(path, 'utf8')]).toEqual([[], 'abcdef']);
});

it('fails one operation, or that and all later ones, without doing it', async () => {
  const once = await run(3, { kind: 'error', errno: 'ENOSPC' });
  expect(once.result).toMatchObject({ code: 'ENOSPC' });
  expect([once.content, once.operations, once.failed]).toEqual([
    'abc',
    ['open', 'write', 'write', 'close'],
    ['write'],
  ]);
  const always = await run(3, { kind: 'error', errno: 'EIO' }, true);
  expect([always.content, always.failed]).toEqual(['abc', ['write', 'close']]);
});

it('does the operation and fails it', async () => {
  const late = await run(3, { kind: 'late-error', errno: 'EIO' });
  expect(late.result).toMatchObject({ code: 'EIO' });
  expect(late.content).toBe('abcdef');
  expect((await run(1, { kind: 'late-error', errno: 'EIO' })).content).toBe('');
});

it('shortens writes, and only writes', async () => {
  expect(await run(2, { kind: 'short-write' })).toMatchObject({
    result: [1, 3],
    content: 'adef',
    failed: ['write'],
  });
  expect(await run(2, { kind: 'short-write', bytes: 2 }, true)).toMatchObject({
    result: [2, 2],
    content: 'abde',
  });
  expect(await run(4, { kind: 'short-write' })).toMatchObject({ result: [3, 3], failed: [] });
});

it('dies: nothing happens any more, not even in a finally block', async () => {
  const path = join(makeRoot(), 'x');
  const files = new FaultyFiles(nodeFiles, { at: 3, fault: { kind: 'crash' } });
  await expect(writeTwice(files, path)).rejects.toBeInstanceOf(Crash);
  await expect(files.unlink(path)).rejects.toBeInstanceOf(Crash);
  expect([readFileSync(path, 'utf8'), files.operations]).toEqual(['abc', ['open', 'write', 'write']]);
});

it('lets something happen in between', async () => {
  let acted = 0;
  const between = await run(3, {
    kind: 'meanwhile',
    act: async () => {
      acted++;
    },
  });
  expect([acted, between.content, between.failed]).toEqual([1, 'abcdef', ['write']]);
});

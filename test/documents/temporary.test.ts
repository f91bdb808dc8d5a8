/** The sweep removes what dead writers left, and nothing that anybody could still need. */
import { spawnSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ANY, nodeFiles, sweepTemporaryFiles } from '../../src/documents/index.ts';
import { reserve } from '../../src/documents/temporary.ts';
import { HOUR } from '../../src/kernel/clock.ts';
import { Crash, FaultyFiles } from '../../src/testing/faulty-files.ts';
import { codeOf, errorOf, makeDocument, makeRoot } from './fixture.ts';

/** Names as this machine and others would give them. */
function nameOf(writer: { pid: number; host?: string }): string {
  const [, , host, , instance, chance] = /^(\.keepsake)-(.{8})-(\d+)-(.{8})-(.{16}\.tmp)$/.exec(
    reserve('/').slice(1),
  )!;
  const other = instance === '00000000' ? '11111111' : '00000000';
  return `.keepsake-${writer.host ?? host}-${writer.pid}-${other}-${chance}`;
}

const dead = () => spawnSync('true').pid;

describe('sweepTemporaryFiles', () => {
  it('takes the files of dead writers at once, of others when they are old', async () => {
    const root = makeRoot();
    const orphan = nameOf({ pid: dead() });
    const alive = nameOf({ pid: process.ppid });
    const sibling = nameOf({ pid: process.pid });
    const foreign = nameOf({ pid: dead(), host: 'ffffffff' });
    for (const name of [orphan, alive, sibling, foreign]) writeFileSync(join(root, name), 'x');
    expect(await sweepTemporaryFiles(root)).toEqual([orphan]);
    expect(await sweepTemporaryFiles(root)).toEqual([]);
    const later = { now: () => Date.now() + HOUR + 1_000 };
    expect((await sweepTemporaryFiles(root, { clock: later })).sort()).toEqual(
      [alive, sibling, foreign].sort(),
    );
    expect(readdirSync(root)).toEqual([]);
  });

  it('touches nothing else, however similar or old', async () => {
    const root = makeRoot();
    const name = nameOf({ pid: dead() });
    const others = [
      'MEMORY.md',
      '.MEMORY.md.lock',
      `${name}.bak`,
      name.slice(1),
      `x${name}`,
      '.keepsake-x.tmp',
    ];
    for (const other of others) {
      writeFileSync(join(root, other), 'x');
      utimesSync(join(root, other), 0, 0);
    }
    mkdirSync(join(root, name));
    symlinkSync('MEMORY.md', join(root, nameOf({ pid: dead() })));
    const before = readdirSync(root);
    expect(await sweepTemporaryFiles(root, { graceMs: 0 })).toEqual([]);
    expect(readdirSync(root)).toEqual(before);
  });

  it('leaves a file alone that this process is writing, and the old document behind a second name', async () => {
    const root = makeRoot();
    const { document, path } = makeDocument({ root });
    writeFileSync(path, 'old');
    utimesSync(path, 0, 0);
    // What another living process has while it replaces a document that nobody touched for years.
    linkSync(path, join(root, nameOf({ pid: process.ppid })));
    const sweeps: string[][] = [];
    const act = async () => {
      sweeps.push(await sweepTemporaryFiles(root));
    };
    for (let at = 1; ; at++) {
      const files = new FaultyFiles(nodeFiles, { at, fault: { kind: 'meanwhile', act } });
      await makeDocument({ root, files }).document.update((text) => `${text}!`);
      if (files.failed.length === 0) break;
    }
    expect(sweeps.length).toBeGreaterThan(10);
    expect(sweeps.flat()).toEqual([]);
    expect((await document.read()).text).toBe(`old${'!'.repeat(sweeps.length + 1)}`);
  });

  it('takes what a failed write of this process could not remove', async () => {
    const root = makeRoot();
    const at = await indexOf('write', root);
    const fault = { kind: 'error', errno: 'ENOSPC' } as const;
    const files = new FaultyFiles(nodeFiles, { at, fault, persistent: true });
    expect(await codeOf(makeDocument({ root, files }).document.replace('x', { ifHash: ANY }))).toBe(
      'STORAGE_FULL',
    );
    const left = readdirSync(root).filter((name) => name.endsWith('.tmp'));
    expect(left.length).toBe(1);
    expect(await sweepTemporaryFiles(root)).toEqual(left);
  });

  it('finds nothing in a folder that does not exist', async () => {
    expect(await sweepTemporaryFiles(join(makeRoot(), 'none'))).toEqual([]);
  });

  it('reports a folder that cannot be swept', async () => {
    const root = makeRoot();
    writeFileSync(join(root, nameOf({ pid: dead() })), 'x');
    for (const [errno, code] of [
      ['EACCES', 'PERMISSION'],
      ['EIO', 'STORAGE_FAILED'],
    ] as const) {
      const files = new FaultyFiles(nodeFiles, { at: 4, fault: { kind: 'error', errno } });
      const error = await errorOf(sweepTemporaryFiles(root, { files }));
      expect([error.code, error.message.includes(root), files.failed]).toEqual([code, true, ['unlink']]);
    }
  });
});

/** Replaces a document once, undisturbed, and tells which operation was the first of a kind. */
async function indexOf(operation: string, root: string): Promise<number> {
  await makeDocument({ root }).document.replace('first', { ifHash: ANY });
  const files = new FaultyFiles(nodeFiles);
  await makeDocument({ root, files }).document.replace('again', { ifHash: ANY });
  return files.operations.indexOf(operation) + 1;
}

it('writes temporary files that only the owner can read, under names that do not repeat', async () => {
  const root = makeRoot();
  const at = await indexOf('rename', root);
  for (let i = 1; i <= 5; i++) {
    // The process dies right before the content is in place.
    const files = new FaultyFiles(nodeFiles, { at, fault: { kind: 'crash' } });
    const crash = await errorOf(makeDocument({ root, files }).document.replace('secret', { ifHash: ANY }));
    expect(crash).toBeInstanceOf(Crash);
    const left = readdirSync(root).filter((name) => name.endsWith('.tmp'));
    expect(left.length).toBe(i);
    for (const name of left) {
      expect(readFileSync(join(root, name), 'utf8')).toBe('secret');
      expect(statSync(join(root, name)).mode & 0o777).toBe(0o600);
    }
  }
  expect(readFileSync(join(root, 'MEMORY.md'), 'utf8')).toBe('again');
});

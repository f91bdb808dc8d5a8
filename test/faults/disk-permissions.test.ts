/** Folders and files that may not be written: an error that says so, and not one byte changed. */
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/index.ts';
import { runChild } from './support/children.ts';
import { FailingCalls } from './support/failing-calls.ts';
import { NOBODY, type NoRightsReport } from './support/tasks/no-rights.ts';
import type { SequenceMessage } from './support/tasks/sequence.ts';
import { hashOf } from './support/texts.ts';
import { databaseOf, inFolder } from './support/workspace.ts';

const isRoot = process.getuid?.() === 0;

async function makeWorkspace(workspace: string): Promise<void> {
  const client = createClient({ workspace });
  await client.agent({ name: 'writer' }).memory.add({ content: 'written before', scope: 'swarm' });
  await client.close();
}

/** Gives the files to the user who will try, or leaves them with the one who runs the tests if that is the same. */
function give(path: string, mode: number): void {
  if (isRoot) chownSync(path, NOBODY, NOBODY);
  chmodSync(path, mode);
}

/** Names, modes and bytes. Nobody has the database open here, so reading it with `fs` does no harm. */
function contentOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !isSideFile(name))
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const stat = statSync(path);
      return `${name} ${stat.mode.toString(8)} ${stat.isFile() ? hashOf(readFileSync(path, 'latin1')) : ''}`;
    });
}

/** Reading needs the shared memory of the readers and an empty log beside the database. */
function isSideFile(name: string): boolean {
  return /-(wal|shm)$/.test(name);
}

interface Case {
  readonly what: string;
  readonly arrange: (workspace: string) => void | Promise<void>;
  readonly readable: boolean;
}

const CASES: readonly Case[] = [
  {
    what: 'an empty folder that may not be written',
    readable: false,
    arrange: (workspace) => give(workspace, 0o555),
  },
  {
    what: 'a folder that may not be entered',
    readable: false,
    arrange: (workspace) => give(workspace, 0o000),
  },
  {
    what: 'a data folder that may not be written',
    readable: false,
    arrange: async (workspace) => {
      await makeWorkspace(workspace);
      give(databaseOf(workspace), 0o600);
      give(dirname(databaseOf(workspace)), 0o555);
    },
  },
  {
    what: 'a database that may not be read',
    readable: false,
    arrange: async (workspace) => {
      await makeWorkspace(workspace);
      give(databaseOf(workspace), 0o000);
      give(dirname(databaseOf(workspace)), 0o755);
    },
  },
  {
    what: 'a database that may be read and not written',
    readable: true,
    arrange: async (workspace) => {
      await makeWorkspace(workspace);
      give(databaseOf(workspace), 0o444);
      give(dirname(databaseOf(workspace)), 0o755);
    },
  },
];

describe('without the right to write', () => {
  it.each(CASES)('$what is refused with PERMISSION and a hint', ({ arrange, readable }) =>
    inFolder(async (folder) => {
      chmodSync(folder, 0o755);
      const workspace = join(folder, 'workspace');
      mkdirSync(workspace);
      chmodSync(workspace, 0o755);
      await arrange(workspace);
      const before = isRoot ? contentOf(workspace) : [];
      const [result] = await runChild<'no-rights', NoRightsReport>('no-rights', { workspace });
      const { user, add, list } = result!;
      expect(user).not.toBe(0);
      expect(add).toMatchObject({ code: 'PERMISSION', hint: expect.stringMatching(/\w/) });
      if (readable) expect(list).toBe(1);
      else expect(list).toMatchObject({ code: 'PERMISSION', hint: expect.stringMatching(/\w/) });
      if (isRoot) expect(contentOf(workspace)).toEqual(before);
      // Else a user who is not root could not remove it.
      chmodSync(workspace, 0o755);
    }),
  );
});

describe('a wrong mode of a file beside the database', () => {
  it.each(['-wal', '-shm'])('%s is named, and so is doctor', (side) =>
    inFolder(async (folder) => {
      chmodSync(folder, 0o755);
      const workspace = join(folder, 'workspace');
      mkdirSync(workspace);
      await makeWorkspace(workspace);
      const file = databaseOf(workspace);
      // As a process leaves them that was killed.
      const holder = createClient({ workspace });
      await holder.agent({ name: 'writer' }).memory.add({ content: 'still in the log' });
      const left = join(folder, 'left');
      cpSync(workspace, left, { recursive: true });
      await holder.close();
      cpSync(left, workspace, { recursive: true });
      for (const path of [workspace, dirname(file)]) give(path, 0o755);
      for (const each of [file, `${file}-wal`, `${file}-shm`]) give(each, 0o600);
      give(`${file}${side}`, 0o000);
      const [result] = await runChild<'no-rights', NoRightsReport>('no-rights', { workspace });
      for (const answer of [result!.add, result!.list]) {
        expect(answer).toMatchObject({
          code: 'PERMISSION',
          message: expect.stringContaining(`${file}${side} cannot be read and written`),
          hint: expect.stringContaining('keepsake doctor'),
        });
      }
    }),
  );
});

it('names the database whose log a broken disk cannot read, and doctor', () =>
  inFolder(async (folder) => {
    const workspace = join(folder, 'workspace');
    mkdirSync(workspace);
    await makeWorkspace(workspace);
    const holder = createClient({ workspace });
    await holder.agent({ name: 'writer' }).memory.add({ content: 'still in the log' });
    const left = join(folder, 'left');
    cpSync(workspace, left, { recursive: true });
    await holder.close();
    const file = databaseOf(left);
    const failing = new FailingCalls(join(folder, 'orders'));
    failing.arm(`${file}-wal`, { call: 'pread64', nth: 1, persistent: true, action: 'EIO' });
    const messages = await runChild<'sequence', SequenceMessage>(
      'sequence',
      { file, write: false },
      { environment: failing.environment },
    );
    expect(failing.injected).toBeGreaterThan(0);
    const failed = messages.filter(({ type }) => type === 'failed');
    expect(failed).not.toEqual([]);
    for (const message of failed) {
      expect(message).toMatchObject({
        code: 'STORAGE_FAILED',
        message: expect.stringContaining(file),
        hint: expect.stringContaining('keepsake doctor'),
      });
    }
  }));

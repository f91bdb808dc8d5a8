/** Conversations on a disk that is really full, and under a real limit on file sizes. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runChild } from './support/conversation-children.ts';

const AGENT = 'alice';

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'keepsake-disk-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A small disk that only the child sees; undefined where nothing can be mounted. */
function smallDisk(folder: string): string[] | undefined {
  const script = 'mount -t tmpfs -o size=4m,mode=0777 tmpfs "$0" && exec "$@"';
  const ways = [
    ['unshare', '--mount'],
    ['unshare', '--user', '--map-root-user', '--mount'],
  ].map((way) => [...way, 'sh', '-c', script, folder]);
  return ways.find(([program, ...options]) => spawnSync(program!, [...options, 'true']).status === 0);
}

it('a full disk: STORAGE_FULL, nothing is wiped, and all is well once there is room', async () => {
  const workspace = makeFolder();
  const under = smallDisk(workspace);
  if (under === undefined) {
    console.warn('Nothing can be mounted here: the limit on file sizes stands for the full disk.');
    return;
  }
  const [result] = await runChild('full', { workspace, agent: AGENT }, under);
  expect(result).toEqual({
    whileFull: ['STORAGE_FULL', 'STORAGE_FULL'],
    turns: 5,
    afterwards: ['done', 'done'],
    added: ['before 0', 'before 1', 'before 2', 'before 3', 'before 4', 'after'],
  });
});

it('a limit on file sizes: a message that does not fit is taken back, in the file and in the log', async () => {
  const workspace = makeFolder();
  const file = join(workspace, 'agents', AGENT, 'MEMORY.md');
  await runChild('talk', { workspace, agent: AGENT, lines: [['User', 'first']] });
  // 2,000 blocks of 512 bytes: the database stays far below, the file is near.
  appendFileSync(file, `${'A long note by hand.\n'.repeat(47_000)}\n\n---\n\n`);
  const before = statSync(file).size;
  const limit = ['sh', '-c', `trap '' XFSZ; ulimit -f 2000; exec "$@"`, 'sh'];
  const [result] = await runChild('limited', { workspace, agent: AGENT, count: 60_000 }, limit);
  expect(result).toEqual({
    outcomes: ['done', 'STORAGE_FAILED', 'done'],
    turns: ['small', 'small again'],
  });
  expect(statSync(file).size).toBeLessThan(before + 200);
  const [after] = await runChild('talk', { workspace, agent: AGENT });
  expect(after!.turns).toEqual(['User: small', 'User: small again']);
});

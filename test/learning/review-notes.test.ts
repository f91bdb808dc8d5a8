/** Notes of sessions that wait for their review: whose they are, when they are taken up, and when they are given up. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ReviewNotes } from '../../src/learning/index.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 1);
/** No process has it: Linux counts to four million at most. */
const GONE = 2 ** 30;

function place() {
  const folder = join(temporaryFolder(), 'data', 'reviews');
  const notes = new ReviewNotes(folder);
  /** As another process would have left it. */
  const leave = (session: string, changes: object = {}, writer: object = {}) => {
    mkdirSync(folder, { recursive: true });
    const note = {
      version: 1,
      session,
      agent: 'alice',
      kind: 'chat',
      messages: ['msg_1'],
      at: NOW,
      attempts: 0,
    };
    const by = { host: hostname(), pid: GONE, instance: 'another', ...writer };
    writeFileSync(join(folder, `${session}.json`), JSON.stringify({ ...note, ...changes, writer: by }));
  };
  const left = async (now = NOW) => (await notes.left('alice', now)).map(({ session }) => session);
  return {
    folder,
    notes,
    leave,
    left,
    files: () => (existsSync(folder) ? readdirSync(folder).toSorted() : []),
  };
}

it('those of a process that died are taken up, oldest first, and those of other agents are not', async () => {
  const { leave, left } = place();
  expect(await left()).toEqual([]);
  leave('ses_b', { at: NOW - 1 });
  leave('ses_a', { at: NOW - 2 });
  leave('ses_c', { agent: 'bob' });
  expect(await left()).toEqual(['ses_a', 'ses_b']);
});

it('those of a living process are left to it, for a day', async () => {
  const { leave, left, notes } = place();
  leave('ses_parent', {}, { pid: process.ppid });
  leave('ses_elsewhere', {}, { host: 'another-machine' });
  await notes.write({ session: 'ses_own', agent: 'alice', kind: 'chat', messages: [], at: NOW, attempts: 0 });
  expect(await left()).toEqual([]);
  expect(await left(NOW + DAY + 1)).toEqual(['ses_parent', 'ses_elsewhere'].toSorted());
});

it('a process of the same number, as the first of every container has, is another one', async () => {
  const { leave, left } = place();
  leave('ses_before', {}, { pid: process.pid });
  expect(await left()).toEqual(['ses_before']);
});

it('what is too old, was tried too often or cannot be read is given up', async () => {
  const { folder, leave, left, files } = place();
  leave('ses_old', { at: NOW - 7 * DAY - 1, agent: 'bob' });
  leave('ses_tried', { attempts: 3 });
  writeFileSync(join(folder, 'ses_torn.json'), '{"version":1,"ses');
  writeFileSync(join(folder, 'README'), 'Not ours.');
  expect(await left()).toEqual([]);
  expect(files()).toEqual(['README']);
});

it('holds ids, and nothing of what was said; removing it twice is fine', async () => {
  const { folder, notes, files } = place();
  const note = { session: 'ses_1', agent: 'alice', kind: 'task', messages: ['msg_1'], at: NOW, attempts: 1 };
  await notes.write(note);
  expect(JSON.parse(readFileSync(join(folder, 'ses_1.json'), 'utf8'))).toEqual({
    version: 1,
    ...note,
    writer: { host: hostname(), pid: process.pid, instance: expect.any(String) },
  });
  await notes.remove('ses_1');
  await notes.remove('ses_1');
  expect(files()).toEqual([]);
});

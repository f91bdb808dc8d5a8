/** Files deleted, moved or replaced under a running client: SQLite would not notice, so the writer looks before it says yes. */
import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/index.ts';
import { databaseOf, inFolder } from './support/workspace.ts';

const ACCIDENTS: readonly { what: string; happen: (workspace: string) => void }[] = [
  { what: 'the workspace is deleted', happen: (workspace) => rmSync(workspace, { recursive: true }) },
  {
    what: 'the workspace is deleted and made again',
    happen: (workspace) => {
      rmSync(workspace, { recursive: true });
      mkdirSync(workspace);
    },
  },
  { what: 'the workspace is moved', happen: (workspace) => renameSync(workspace, `${workspace}-moved`) },
  {
    what: 'another database takes the place of this one',
    happen: (workspace) => {
      const file = databaseOf(workspace);
      renameSync(file, `${file}.old`);
      copyFileSync(`${file}.other`, file);
    },
  },
  { what: 'the write-ahead log is deleted', happen: (workspace) => rmSync(`${databaseOf(workspace)}-wal`) },
];

describe('a write is refused when', () => {
  it.each(ACCIDENTS)('$what', ({ happen }) =>
    inFolder(async (folder) => {
      const workspace = join(folder, 'workspace');
      await using client = createClient({ workspace });
      const { memory } = client.agent({ name: 'writer' });
      await memory.add({ content: 'first' });
      // Made before the accident: copying the database itself would drop the locks of this process.
      const other = createClient({
        config: { storage: { sqlite: { file: 'keepsake.db.other' } } },
        workspace: dirname(databaseOf(workspace)),
      });
      await other.agent({ name: 'writer' }).memory.add({ content: 'of another life' });
      await other.close();
      happen(workspace);
      const answers = await Promise.allSettled([
        memory.add({ content: 'second' }),
        memory.add({ content: 'third' }),
      ]);
      for (const answer of answers) {
        expect(answer).toMatchObject({
          status: 'rejected',
          reason: { code: 'STORAGE_FAILED', hint: expect.stringContaining('create a new client') },
        });
      }
      await expect(memory.add({ content: 'fourth' })).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    }),
  );
});

it('works with a new client on a workspace that was deleted', () =>
  inFolder(async (folder) => {
    const workspace = join(folder, 'workspace');
    const client = createClient({ workspace });
    await client.agent({ name: 'writer' }).memory.add({ content: 'first' });
    rmSync(workspace, { recursive: true });
    await client.close();
    await using next = createClient({ workspace });
    const { memory } = next.agent({ name: 'writer' });
    await memory.add({ content: 'second' });
    expect((await memory.list()).map(({ content }) => content)).toEqual(['second']);
  }));

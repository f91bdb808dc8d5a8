/** file_read and file_write stay in the folders that they were given. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileTools } from '../../../src/agents/index.ts';
import { nodeFiles } from '../../../src/documents/index.ts';
import { FaultyFiles } from '../../../src/testing/faulty-files.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { call, calls, scene, textOf } from '../fixture.ts';

const context = { agent: 'alice', session: 'ses_1', signal: new AbortController().signal };

/** A workspace with a folder that may be used, and a secret beside it. */
function place(paths: readonly string[] = ['notes'], own: readonly string[] = []) {
  const root = temporaryFolder();
  mkdirSync(join(root, 'notes'));
  mkdirSync(join(root, 'private'));
  writeFileSync(join(root, 'notes', 'a.txt'), 'public');
  writeFileSync(join(root, 'private', 'key.txt'), 'secret');
  const [read, write] = fileTools({ root, paths, own });
  return {
    root,
    read: async (path: string) => read!.run({ path } as never, context),
    write: async (path: string, content = 'written') => write!.run({ path, content } as never, context),
  };
}

it('reads and writes inside, also files and folders that are not there yet', async () => {
  const { root, read, write } = place();
  expect(await read('notes/a.txt')).toBe('public');
  expect(await read('notes/../notes/a.txt')).toBe('public');
  expect(await read(join(root, 'notes', 'a.txt'))).toBe('public');
  expect(await write('notes/new/deep/b.txt', 'ä😀')).toBe('Wrote 3 characters to notes/new/deep/b.txt.');
  expect(readFileSync(join(root, 'notes', 'new', 'deep', 'b.txt'), 'utf8')).toBe('ä😀');
  await write('notes/a.txt', 'x');
  expect(readFileSync(join(root, 'notes', 'a.txt'), 'utf8')).toBe('x');
});

it('a path may be a single file', async () => {
  const { read, write } = place(['notes/a.txt']);
  expect(await read('notes/a.txt')).toBe('public');
  await expect(write('notes/b.txt')).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

it('a name without a folder belongs to the first folder, and never leads out of it', async () => {
  const { root, read, write } = place(['notes/a.txt', 'notes']);
  expect(await write('b.txt')).toBe('Wrote 7 characters to notes/b.txt.');
  expect(await read('./b.txt')).toBe('written');
  await expect(read('key.txt')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  symlinkSync(join(root, 'private', 'key.txt'), join(root, 'notes', 'link.txt'));
  await expect(read('link.txt')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(write('sub/b.txt')).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

it('nothing outside, by whatever name', async () => {
  const { root, read, write } = place();
  const outside = [
    'private/key.txt',
    'notes/../private/key.txt',
    '../etc/passwd',
    '/etc/passwd',
    join(root, 'private', 'key.txt'),
    `${join(root, 'notes')}-more/a.txt`,
    'notes/../../outside.txt',
    '.',
    '..',
  ];
  for (const path of outside) {
    await expect(read(path), path).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(write(path), path).rejects.toMatchObject({ code: 'FORBIDDEN' });
  }
  await expect(read('notes/a.txt\0.png')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  expect(readFileSync(join(root, 'private', 'key.txt'), 'utf8')).toBe('secret');
});

it('links do not lead out: of a file, of a folder, of a folder above, and to what is not there yet', async () => {
  const { root, read, write } = place();
  symlinkSync(join(root, 'private', 'key.txt'), join(root, 'notes', 'file-link'));
  symlinkSync(join(root, 'private'), join(root, 'notes', 'folder-link'));
  symlinkSync('../private/not-there.txt', join(root, 'notes', 'dangling'));
  symlinkSync('../private/no-folder', join(root, 'notes', 'dangling-folder'));
  symlinkSync('dangling', join(root, 'notes', 'chain'));
  for (const path of ['notes/file-link', 'notes/folder-link/key.txt']) {
    await expect(read(path), path).rejects.toMatchObject({ code: 'FORBIDDEN' });
  }
  for (const path of ['file-link', 'folder-link/new.txt', 'dangling', 'dangling-folder/new.txt', 'chain']) {
    await expect(write(`notes/${path}`), path).rejects.toMatchObject({ code: 'FORBIDDEN' });
  }
  expect(existsSync(join(root, 'private', 'not-there.txt'))).toBe(false);
  expect(existsSync(join(root, 'private', 'no-folder'))).toBe(false);
  expect(existsSync(join(root, 'private', 'new.txt'))).toBe(false);
});

it('links that stay inside are followed; one that leads to itself is an error', async () => {
  const { root, read, write } = place();
  symlinkSync('a.txt', join(root, 'notes', 'inside'));
  symlinkSync('later.txt', join(root, 'notes', 'inside-later'));
  symlinkSync('loop', join(root, 'notes', 'loop'));
  expect(await read('notes/inside')).toBe('public');
  await write('notes/inside-later', 'now');
  expect(readFileSync(join(root, 'notes', 'later.txt'), 'utf8')).toBe('now');
  await expect(read('notes/loop')).rejects.toThrow();
  await expect(write('notes/loop')).rejects.toThrow();
});

it('a folder that is allowed by a link is the folder that it leads to', async () => {
  const { root, read } = place(['linked']);
  symlinkSync('notes', join(root, 'linked'));
  expect(await read('linked/a.txt')).toBe('public');
  expect(await read('notes/a.txt')).toBe('public');
});

it('what Keepsake keeps is out of reach, unless a path leads into it', async () => {
  const root = temporaryFolder();
  const own = [join(root, 'agents'), join(root, 'data'), join(root, 'keepsake.jsonc')];
  mkdirSync(join(root, 'agents', 'bob'), { recursive: true });
  writeFileSync(join(root, 'agents', 'bob', 'MEMORY.md'), 'bob');
  const [read, write] = fileTools({ root, paths: ['.'], own });
  const run = async (path: string) => read!.run({ path } as never, context);
  await expect(run('agents/bob/MEMORY.md')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  for (const path of ['data/keepsake.db', 'keepsake.jsonc', 'agents/new.md']) {
    await expect((async () => write!.run({ path, content: 'x' } as never, context))()).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  }
  const [readBob] = fileTools({ root, paths: ['agents/bob'], own });
  expect(await readBob!.run({ path: 'agents/bob/MEMORY.md' } as never, context)).toBe('bob');
});

it('a disk that fails at any step of file_write leaves the old file or the whole new one', async () => {
  const root = temporaryFolder();
  const file = join(root, 'novel.md');
  const old = 'Months of work. '.repeat(500);
  const fresh = 'A new beginning. '.repeat(500);
  const writing = async (files: FaultyFiles) => {
    writeFileSync(file, old, { mode: 0o640 });
    const [, write] = fileTools({ root, paths: ['.'], files });
    return (async () => write!.run({ path: 'novel.md', content: fresh } as never, context))();
  };
  const counting = new FaultyFiles(nodeFiles);
  await writing(counting);
  expect(readFileSync(file, 'utf8')).toBe(fresh);
  expect(statSync(file).mode & 0o777).toBe(0o640);
  for (const errno of ['ENOSPC', 'EIO']) {
    for (let at = 1; at <= counting.operations.length; at++) {
      const faulty = new FaultyFiles(nodeFiles, { at, fault: { kind: 'error', errno }, persistent: true });
      const refused = await writing(faulty).then(
        () => undefined,
        (error: { code: string }) => error,
      );
      const text = readFileSync(file, 'utf8');
      expect(text === old || text === fresh, `${errno} at ${counting.operations[at - 1]}`).toBe(true);
      if (refused === undefined) expect(text).toBe(fresh);
    }
  }
});

it('says what is wrong with a file: missing, a folder, a pipe, too large', async () => {
  const { root, read, write } = place();
  mkdirSync(join(root, 'notes', 'folder'));
  execFileSync('mkfifo', [join(root, 'notes', 'pipe')]);
  writeFileSync(join(root, 'notes', 'large'), 'x'.repeat(1_000_001));
  await expect(read('notes/missing')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'The file notes/missing does not exist.',
  });
  for (const path of ['notes/folder', 'notes/pipe']) {
    await expect(read(path), path).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: `${path} is not a file.`,
    });
    await expect(write(path), path).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  }
  await expect(read('notes/large')).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

it('an agent has them when it asks for the pack, within its paths', async () => {
  const { agent, server, folder } = await scene([
    calls(
      { name: 'file_write', arguments: { path: 'out/report.md', content: '# Report' } },
      { name: 'file_read', arguments: { path: 'data/keepsake.db' } },
    ),
    call('file_read', { path: 'out/report.md' }),
    'Written.',
  ]);
  await agent({ packs: ['files'], paths: ['out'] }).run('Write a report.');
  expect(readFileSync(join(folder, 'out', 'report.md'), 'utf8')).toBe('# Report');
  const results = server.requests[2]!.messages.filter(({ role }) => role === 'tool').map(textOf);
  expect(results[1]).toBe(
    'file_read → data/keepsake.db is outside the folders of this agent: out. Use a path inside one of these folders.',
  );
  expect(results[2]).toBe('file_read → # Report');
});

it('without paths nothing may be touched', async () => {
  const { read } = place([]);
  await expect(read('notes/a.txt')).rejects.toThrow('of this agent: no folders');
});

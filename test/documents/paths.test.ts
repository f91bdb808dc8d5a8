/** A document never leaves its root, whatever the path, the links, or someone moving folders says. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ANY, type DocumentFile, nodeFiles } from '../../src/documents/index.ts';
import { FaultyFiles } from '../../src/testing/faulty-files.ts';
import { codeOf, errorOf, makeDocument, makeRoot } from './fixture.ts';

/** A workspace with a neighbour that must stay untouched. */
function makeNeighbours() {
  const base = makeRoot();
  const [root, neighbour] = [join(base, 'workspace'), join(base, 'neighbour')];
  mkdirSync(root);
  mkdirSync(neighbour);
  writeFileSync(join(neighbour, 'secret.md'), 'secret');
  return { base, root, neighbour };
}

async function codesOfAll(root: string, path: string): Promise<string[]> {
  const { document } = makeDocument({ root, path });
  return [
    await codeOf(document.read()),
    await codeOf(document.replace('evil', { ifHash: ANY })),
    await codeOf(document.update(() => 'evil')),
    await codeOf(document.append('evil')),
    await codeOf(document.remove({ ifHash: ANY })),
  ];
}

const all = (code: string) => Array(5).fill(code);

describe('traversal', () => {
  it.each([
    '../neighbour/secret.md',
    '../../evil.md',
    'a/../../neighbour/secret.md',
    '/etc/passwd',
    '..',
    '.',
    '',
    '../workspace2/x.md',
  ])('refuses %j', async (path) => {
    const { root, base } = makeNeighbours();
    expect(await codesOfAll(root, path)).toEqual(all('FORBIDDEN'));
    expect(readdirSync(root)).toEqual([]);
    expect(readdirSync(base).sort()).toEqual(['neighbour', 'workspace']);
  });

  it('refuses NUL characters and names that no file system takes', async () => {
    const { root } = makeNeighbours();
    expect(await codesOfAll(root, 'a\0.md')).toEqual(all('INVALID_INPUT'));
    expect(await codesOfAll(root, `${'x'.repeat(300)}.md`)).toEqual(all('INVALID_INPUT'));
  });

  it('takes names that only look like traversal', async () => {
    const { root } = makeNeighbours();
    for (const path of [
      '..a.md',
      'a..b.md',
      '...',
      'a/../b.md',
      './c.md',
      join(root, 'd.md'),
      'ü 漢字.md',
      '~',
      '$HOME',
    ]) {
      const { document } = makeDocument({ root, path });
      await document.replace('fine', { ifHash: ANY });
      expect((await document.read()).text).toBe('fine');
    }
  });
});

describe('links', () => {
  it('refuses links that lead out of the root: the document, a folder, a chain, a dangling one, a loop', async () => {
    const { root, neighbour } = makeNeighbours();
    symlinkSync(join(neighbour, 'secret.md'), join(root, 'file.md'));
    symlinkSync('../neighbour', join(root, 'folder'));
    symlinkSync('folder', join(root, 'chain'));
    symlinkSync(join(neighbour, 'new.md'), join(root, 'dangling.md'));
    symlinkSync(join(neighbour, 'nowhere'), join(root, 'dangling'));
    symlinkSync('loop.md', join(root, 'loop.md'));
    for (const path of [
      'file.md',
      'folder/secret.md',
      'folder/new.md',
      'folder/deep/new.md',
      'chain/secret.md',
      'dangling.md',
      'dangling/new.md',
      'loop.md',
    ]) {
      expect([path, ...(await codesOfAll(root, path))]).toEqual([path, ...all('FORBIDDEN')]);
    }
    expect(readdirSync(neighbour)).toEqual(['secret.md']);
    expect(readFileSync(join(neighbour, 'secret.md'), 'utf8')).toBe('secret');
  });

  it('follows links that stay inside: the file they lead to is the document, and the link stays', async () => {
    const { root } = makeNeighbours();
    mkdirSync(join(root, 'shared'));
    writeFileSync(join(root, 'shared', 'real.md'), 'one');
    symlinkSync('shared/real.md', join(root, 'link.md'));
    symlinkSync('shared', join(root, 'folder'));
    const byLink = makeDocument({ root, path: 'link.md' }).document;
    const byFolder = makeDocument({ root, path: 'folder/real.md' }).document;
    const direct = makeDocument({ root, path: 'shared/real.md' }).document;
    const documents = [byLink, byFolder, direct];
    await Promise.all(Array.from({ length: 30 }, (_, i) => documents[i % 3]!.update((text) => `${text}.`)));
    expect(readFileSync(join(root, 'shared', 'real.md'), 'utf8')).toBe(`one${'.'.repeat(30)}`);
    expect(lstatSync(join(root, 'link.md')).isSymbolicLink()).toBe(true);
    // All three agree on one lock.
    expect(readdirSync(root).sort()).toEqual(['folder', 'link.md', 'shared']);
    expect(readdirSync(join(root, 'shared')).sort()).toEqual(['.real.md.lock', 'real.md']);
  });

  it('accepts a root that is itself behind a link, and a root that does not exist yet', async () => {
    const { base, root } = makeNeighbours();
    symlinkSync(root, join(base, 'alias'));
    await makeDocument({ root: join(base, 'alias'), path: 'a/x.md' }).document.append('one');
    expect(readFileSync(join(root, 'a', 'x.md'), 'utf8')).toBe('one');
    await makeDocument({ root: join(base, 'new', 'root'), path: 'a/x.md' }).document.append('two');
    expect(readFileSync(join(base, 'new', 'root', 'a', 'x.md'), 'utf8')).toBe('two');
  });
});

describe('things that are not files', () => {
  it('refuses folders, pipes, sockets and paths through files, without waiting for anyone', async () => {
    const { root } = makeNeighbours();
    mkdirSync(join(root, 'folder'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const server = createServer().listen(join(root, 'socket'));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    writeFileSync(join(root, 'file'), '');
    for (const path of ['folder', 'pipe', 'socket', 'file/below.md']) {
      expect([path, ...(await codesOfAll(root, path))]).toEqual([path, ...all('INVALID_INPUT')]);
    }
  });

  it('refuses devices', async () => {
    expect(await codesOfAll('/dev', 'null')).toEqual(all('INVALID_INPUT'));
    expect(await codesOfAll('/dev', 'zero')).toEqual(all('INVALID_INPUT'));
  });
});

describe('someone who moves things between the check and the use', () => {
  type Attack = (root: string, neighbour: string) => void;
  const attacks: [string, Attack][] = [
    [
      'the document becomes a link',
      (root, neighbour) => {
        const path = join(root, 'folder', 'secret.md');
        if (existsSync(path)) renameSync(path, `${path}.away`);
        symlinkSync(join(neighbour, 'secret.md'), path);
      },
    ],
    [
      'its folder becomes a link',
      (root, neighbour) => {
        renameSync(join(root, 'folder'), join(root, 'folder.away'));
        symlinkSync(neighbour, join(root, 'folder'));
      },
    ],
  ];
  const uses: [string, (document: DocumentFile) => Promise<unknown>][] = [
    ['read', (document) => document.read()],
    ['replace', (document) => document.replace('evil', { ifHash: ANY })],
    ['update', (document) => document.update((text) => `${text}, evil`)],
    ['append', (document) => document.append(', evil')],
  ];
  const cases = attacks.flatMap(([when, attack]) => uses.map(([use, run]) => ({ use, when, attack, run })));

  it.each(cases)(
    '$use neither reads nor changes the neighbour when $when before any operation',
    async ({ attack, run }) => {
      for (let at = 1; ; at++) {
        const { root, neighbour } = makeNeighbours();
        mkdirSync(join(root, 'folder'));
        writeFileSync(join(root, 'folder', 'secret.md'), 'mine');
        const act = async () => attack(root, neighbour);
        const files = new FaultyFiles(nodeFiles, { at, fault: { kind: 'meanwhile', act } });
        const { document } = makeDocument({ root, path: 'folder/secret.md', files });
        const result = await run(document).catch((error: unknown) => error);
        expect(JSON.stringify(result)).not.toContain('"secret"');
        expect(readFileSync(join(neighbour, 'secret.md'), 'utf8')).toBe('secret');
        // The lock is opened by path, so an empty lock file may appear there; nothing else may.
        expect(readdirSync(neighbour).filter((name) => name !== '.secret.md.lock')).toEqual(['secret.md']);
        if (files.failed.length > 0) continue;
        expect(at).toBeGreaterThan(8);
        return;
      }
    },
  );
});

it('names the path and the root in the error', async () => {
  const { root } = makeNeighbours();
  const error = await errorOf(makeDocument({ root, path: '../x.md' }).document.read());
  expect(error.message).toBe(`../x.md leads out of ${root}.`);
  expect(error.hint).toContain('inside the workspace');
});

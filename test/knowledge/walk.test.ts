/** Which files of a folder are found. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseIgnoreRules } from '../../src/knowledge/files/ignore-rules.ts';
import { walk } from '../../src/knowledge/files/walk.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

function tree(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

async function found(folder: string): Promise<string[]> {
  return (await walk(folder)).files.map((path) => relative(folder, path));
}

describe('walk', () => {
  it('leaves out what is hidden, what was installed and what git ignores', async () => {
    const folder = temporaryFolder();
    tree(folder, {
      'a.md': '',
      'sub/b.md': '',
      '.env': 'SECRET=1',
      '.hidden/c.md': '',
      'node_modules/x/readme.md': '',
      '.gitignore': 'build/\n*.log\n',
      'build/out.md': '',
      'sub/x.log': '',
      'sub/.gitignore': '!keep.log\n/only.md\n',
      'sub/keep.log': '',
      'sub/only.md': '',
      'sub/deep/only.md': '',
    });
    expect(await found(folder)).toEqual(['a.md', 'sub/b.md', 'sub/deep/only.md', 'sub/keep.log']);
  });

  it('heeds the rules of the repository around it, and goes where it is sent', async () => {
    const folder = temporaryFolder();
    tree(folder, {
      '.git/HEAD': '',
      '.gitignore': 'docs/secret.md\ngenerated/\n',
      'docs/secret.md': '',
      'docs/a.md': '',
    });
    tree(folder, { 'generated/b.md': '' });
    expect(await found(join(folder, 'docs'))).toEqual(['a.md']);
    expect(await found(join(folder, 'generated'))).toEqual(['b.md']);
  });

  it('follows no link, and says so', async () => {
    const folder = temporaryFolder();
    tree(folder, { 'outside/secret.md': '', 'inside/a.md': '' });
    symlinkSync(join(folder, 'outside'), join(folder, 'inside/out'));
    symlinkSync(join(folder, 'outside/secret.md'), join(folder, 'inside/secret.md'));
    symlinkSync('.', join(folder, 'inside/loop'));
    const { files, skipped } = await walk(join(folder, 'inside'));
    expect(files).toEqual([join(folder, 'inside/a.md')]);
    expect(skipped.map(({ path }) => relative(folder, path))).toEqual([
      'inside/loop',
      'inside/out',
      'inside/secret.md',
    ]);
  });

  it('stops when asked to', async () => {
    const folder = temporaryFolder();
    await expect(walk(folder, AbortSignal.abort())).rejects.toThrow();
  });
});

describe('ignore rules', () => {
  const PATTERNS = [
    ...[
      '*.log',
      '/top',
      'a/b',
      'a/**',
      '**/c',
      'a/**/d',
      'x?z',
      '[a-c].md',
      '[!a].txt',
      'dir/',
      '!keep.log',
      '\\#hash',
    ],
    ...['spaced ', '*a*b*c', '**', 'foo/*', '/*', '\\*star', 'a/*/b', '[]x].y', '***', 'é*'],
  ];
  const PATHS = [
    ...[
      'x.log',
      'a/x.log',
      'top',
      'a/top',
      'a/b',
      'z/a/b',
      'a/b/c',
      'c',
      'q/c',
      'a/d',
      'a/e/f/d',
      'xyz',
      'xz',
      'b.md',
      'd.md',
    ],
    ...[
      'a.txt',
      'b.txt',
      'dir',
      'keep.log',
      '#hash',
      'spaced',
      '1a2b3c',
      'abcd',
      'foo/bar',
      'foo/bar/baz',
      '*star',
      'xstar',
    ],
    ...['a/x/b', 'a/x/y/b', '].y', 'éa'],
  ];

  it('mean what they mean to git', () => {
    const folder = temporaryFolder();
    execFileSync('git', ['init', '-q'], { cwd: folder });
    for (const pattern of PATTERNS) {
      writeFileSync(join(folder, '.gitignore'), `${pattern}\n`);
      const options = { cwd: folder, input: PATHS.join('\0'), encoding: 'utf8' as const };
      let ignored = '';
      try {
        ignored = execFileSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], options);
      } catch (error) {
        // Exit code 1 says that nothing is ignored.
        expect((error as { status: number }).status).toBe(1);
      }
      const rules = parseIgnoreRules(`${pattern}\n`);
      // Git asks for each folder on the way down, and so does the walk.
      const ours = PATHS.filter((path) => {
        const parts = path.split('/');
        return parts.some((_, i) => rules.verdict(parts.slice(0, i + 1), i < parts.length - 1) === 'ignored');
      });
      expect({ pattern, ours }).toEqual({ pattern, ours: ignored.split('\0').filter(Boolean) });
    }
  });

  it('cannot be made slow', () => {
    const rules = parseIgnoreRules(`${'*a'.repeat(200)}b\n${'**/a/'.repeat(100)}b`);
    expect(rules.verdict(['a'.repeat(255)], false)).toBeUndefined();
    expect(rules.verdict(Array(300).fill('a'), false)).toBeUndefined();
  });
});

/** Which agent a project is, when it shares a workspace with other projects. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectAgent, projectFolder } from '../../src/administration/project.ts';
import { checkAgentName } from '../../src/kernel/names.ts';
import { NAUGHTY_STRINGS } from '../fixtures/naughty-strings.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

it('is named after its folder, so that a person knows it, and like no other', () => {
  const names = ['/home/me/shop', '/home/me/old/shop', '/home/me/Shop'].map(projectAgent);
  expect(names[0]).toMatch(/^shop-[0-9a-f]{6}$/);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(3);
  expect(projectAgent('/home/me/shop')).toBe(names[0]);
  expect(projectAgent('/home/me/Mein Projekt (neu)')).toMatch(/^Mein-Projekt-neu-[0-9a-f]{6}$/);
  expect(projectAgent('/')).toMatch(/^project-/);
});

it('has a valid name whatever the folder is called', () => {
  const folders = [...NAUGHTY_STRINGS, 'con', '.config', '..', 'x.md', '日本語'.repeat(40), 'é'.repeat(300)];
  for (const folder of folders) {
    const name = projectAgent(join('/home/me', folder));
    expect(checkAgentName(name)).toBe(name);
  }
});

it('is the repository that a folder is in, also from a worktree of it and over a link; else the folder', () => {
  const root = temporaryFolder();
  for (const folder of ['shop/.git/worktrees/fix', 'shop/src/deep', 'fix/src', 'plain/deep', 'module'])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'fix/.git'), `gitdir: ${join(root, 'shop/.git/worktrees/fix')}\n`);
  writeFileSync(join(root, 'module/.git'), 'gitdir: ../shop/.git/modules/module\n');
  symlinkSync(join(root, 'shop'), join(root, 'link'));
  const shop = join(root, 'shop');
  for (const folder of ['shop', 'shop/src/deep', 'fix', 'fix/src', 'link/src'])
    expect([folder, projectFolder(join(root, folder))]).toEqual([folder, shop]);
  expect(projectFolder(join(root, 'module'))).toBe(join(root, 'module'));
  expect(projectFolder(join(root, 'plain/deep'))).toBe(join(root, 'plain/deep'));
  expect(projectFolder(join(root, 'gone'))).toBe(join(root, 'gone'));
});
